"""Policy text to policy model. Every problem is reported at once, each with file, line and key.

Reads presets that ship with the package; a policy file's text is handed in by whoever may read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import resources
from typing import Annotated, Any, TypeVar, get_args, get_origin

from pydantic import ValidationError

from nightshift.errors import UserError, UserErrors
from nightshift.policy.document import Document, KeyPath, read
from nightshift.policy.model import Model
from nightshift.policy.sync import SyncPolicy
from nightshift.policy.triage import TriagePolicy

Policy = TriagePolicy | SyncPolicy
P = TypeVar("P", bound=Model)

MODELS: dict[str, type[TriagePolicy] | type[SyncPolicy]] = {
    "triage": TriagePolicy,
    "sync": SyncPolicy,
}
DEFAULTS = {"triage": "pytorch-distributed", "sync": "main-to-dev"}
UNKNOWN = "unknown key."
MEND_KEY = "Known keys here: {keys}."
MEND_NEAR = "Did you mean `{near}`?"
MEND_MODE = "Write `mode: triage` or `mode: sync` at the top."
MEND_QUOTES = "Put a text in quotes."


def preset_names() -> list[str]:
    """The names of the built-in presets."""
    folder = resources.files("nightshift.policy.presets")
    return sorted(
        item.name.removesuffix(".yaml") for item in folder.iterdir() if item.name.endswith(".yaml")
    )


def preset(name: str) -> Policy:
    """A built-in preset.

    :raises UserError: no preset has that name.
    """
    if name not in preset_names():
        raise UserError(
            f"there is no preset {name!r}.",
            where="policy",
            mend=f"Presets: {', '.join(preset_names())}; a path must end in .yaml or .yml.",
        )
    file = resources.files("nightshift.policy.presets") / f"{name}.yaml"
    return parse(file.read_text(encoding="utf-8"), name=f"preset {name}")


def is_path(policy: str) -> bool:
    """Whether a `policy` input names a file rather than a preset."""
    return policy.endswith((".yaml", ".yml"))


def parse(text: str, *, name: str) -> Policy:
    """A policy from its YAML text.

    :param name: how errors name the file.
    :raises UserErrors: each problem with file, line and key.
    """
    document = read(text, name=name)
    if not isinstance(document.data, Mapping):
        raise UserError("a policy is a mapping of keys.", where=f"{name}:1", mend=MEND_MODE)
    model = MODELS.get(str(document.data.get("mode")))
    if model is None:
        where = document.place(("mode",))
        raise UserError("unknown or missing mode.", where=where, mend=MEND_MODE)
    return _validate(model, document)


def require(policy: Policy, kind: type[P], *, name: str) -> P:
    """The policy, if it is for the mode that wants it.

    :raises UserError: it is for the other mode.
    """
    if not isinstance(policy, kind):
        raise UserError(
            f"this policy is for mode {policy.mode}.",
            where=name,
            mend="Name a policy of the mode that runs.",
        )
    return policy


def _validate(model: type[P], document: Document) -> P:
    try:
        return model.model_validate(document.data, by_alias=True, by_name=False)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        raise UserErrors([_explain(item, model, document) for item in found]) from error


def _explain(item: Any, model: type[Model], document: Document) -> UserError:
    path: KeyPath = (*_keys_of(item["loc"]), *item.get("ctx", {}).get("path", ()))
    where = document.place(path)
    if item["type"] == "extra_forbidden":
        return UserError(UNKNOWN, where=where, mend=_known_keys(model, path))
    what = item["msg"].removeprefix("Value error, ").rstrip(".")
    mend = MEND_QUOTES if item["type"] == "string_type" else ""
    return UserError(f"{what}.", where=where, mend=mend)


def _keys_of(location: KeyPath) -> KeyPath:
    """Keys and positions; not the names of pydantic's own functions, which hold brackets."""
    return tuple(part for part in location if isinstance(part, int) or "[" not in part)


def _known_keys(model: type[Model], path: KeyPath) -> str:
    keys = _keys_at(model, path[:-1])
    near = get_close_matches(str(path[-1]), keys, n=1)
    hints = [MEND_NEAR.format(near=near[0])] if near else []
    return " ".join([*hints, MEND_KEY.format(keys=", ".join(keys))]) if keys else ""


def _keys_at(model: type[Model], path: KeyPath) -> list[str]:
    """The keys that a model knows at a path; [] where the path does not lead to a model."""
    current: Any = model
    for part in path:
        current = _models_in(_annotation(current, part))
    fields = getattr(current, "model_fields", {})
    return sorted(field.alias or name for name, field in fields.items())


def _annotation(model: Any, part: str | int) -> Any:
    """What stands at a key of a model; a position in a list leads to the list's model itself."""
    if isinstance(part, int):
        return model
    fields = getattr(model, "model_fields", {})
    return next((f.annotation for name, f in fields.items() if part in (f.alias, name)), None)


def _models_in(annotation: Any) -> Any:
    """The model that a type holds: in a tuple, a mapping, an option, or as it is."""
    origin = get_origin(annotation)
    if origin is None:
        return annotation
    inside = get_args(annotation)[:1] if origin is Annotated else get_args(annotation)
    found = (_models_in(part) for part in inside)
    return next((part for part in found if hasattr(part, "model_fields")), None)
