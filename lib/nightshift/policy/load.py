"""Policy text to policy model. Every problem is reported at once, each with file, line and key.

Reads presets that ship with the package; a policy file's text is handed in by whoever may read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Any, TypeVar

import yaml
from pydantic import ValidationError

from nightshift.errors import UserError, UserErrors
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
MEND_KEY = "Known keys here: {keys}."
MEND_MODE = "Write `mode: triage` or `mode: sync` at the top."

_Path = tuple[str | int, ...]


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
    node = _compose(text, name)
    lines: dict[_Path, int] = {}
    duplicates: list[UserError] = []
    data = _plain(node, (), lines, duplicates, name)
    if duplicates:
        raise UserErrors(duplicates)
    if not isinstance(data, Mapping):
        raise UserError("a policy is a mapping of keys.", where=f"{name}:1", mend=MEND_MODE)
    model = MODELS.get(str(data.get("mode")))
    if model is None:
        where = f"{name}:{lines.get(('mode',), 1)}: mode"
        raise UserError("unknown or missing mode.", where=where, mend=MEND_MODE)
    return _validate(model, data, lines, name)


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


def _compose(text: str, name: str) -> yaml.Node:
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{name}:{mark.line + 1}" if mark else name
        problem = getattr(error, "problem", None) or "not valid YAML"
        raise UserError(f"cannot be read as YAML: {problem}.", where=where) from error
    if node is None:
        raise UserError("the policy is empty.", where=name, mend=MEND_MODE)
    return node


def _plain(
    node: yaml.Node, path: _Path, lines: dict[_Path, int], bad: list[UserError], name: str
) -> Any:
    """The node's value; notes the line of every key and finds keys that are given twice."""
    lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, (*path, n), lines, bad, name) for n, item in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        result: dict[str, Any] = {}
        for key_node, value in node.value:
            key = str(key_node.value)
            line = key_node.start_mark.line + 1
            if key in result:
                bad.append(
                    UserError(
                        "this key is given twice.", where=f"{name}:{line}: {_dotted((*path, key))}"
                    )
                )
            lines[(*path, key)] = line
            result[key] = _plain(value, (*path, key), lines, bad, name)
        return result
    return yaml.SafeLoader("").construct_object(node)


def _validate(model: type[P], data: Mapping[str, Any], lines: dict[_Path, int], name: str) -> P:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        problems = [_explain(item, model, lines, name) for item in error.errors(include_url=False)]
        raise UserErrors(problems) from error


def _explain(item: Any, model: type[Model], lines: dict[_Path, int], name: str) -> UserError:
    path: _Path = (*item["loc"], *item.get("ctx", {}).get("path", ()))
    known = path
    while known not in lines and known:
        known = known[:-1]
    where = f"{name}:{lines.get(known, 1)}: {_dotted(path)}"
    if item["type"] == "extra_forbidden":
        keys = _keys_at(model, path[:-1])
        return UserError(
            "unknown key.", where=where, mend=MEND_KEY.format(keys=", ".join(keys)) if keys else ""
        )
    return UserError(f"{item['msg']}.", where=where)


def _keys_at(model: type[Model], path: _Path) -> list[str]:
    """The keys that a model knows at a path; [] where the path does not lead to a plain model."""
    current: Any = model
    for part in path:
        fields = getattr(current, "model_fields", {})
        found = next((f.annotation for f in fields.values() if f.alias == part), None)
        if found is None:
            return []
        current = found
    return sorted(f.alias or n for n, f in getattr(current, "model_fields", {}).items())


def _dotted(path: _Path) -> str:
    return ".".join(str(part) for part in path)
