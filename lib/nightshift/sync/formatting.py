"""The target repository's style on the files that policy names (sync.md, phase 1 point 11).

Which files and with which settings is decided here; how a text comes into style is the port's.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass

from nightshift.policy.model import Severity
from nightshift.policy.sync import FormatRules
from nightshift.ports import Formatter, Style, StyleOf, TreeView
from nightshift.sync.draft import Draft
from nightshift.sync.findings import Finding
from nightshift.sync.paths import PathPolicy
from nightshift.sync.sides import LINK, SUBMODULE, Sides

RULE = "format"
NOT_TEXT = "it is not text in the encoding that it declares: not formatted."
_PYTHON = (".py", ".pyi")


@dataclass(frozen=True, slots=True)
class Formatted:
    """What the formatters did.

    :param paths: the files that they changed.
    """

    paths: tuple[str, ...]
    findings: tuple[Finding, ...]


def style(tree: TreeView, rules: FormatRules, style_of: StyleOf) -> Style | None:
    """The style that a tree's own configuration asks for; None where policy switches it off."""
    if rules.scope == "off" or not rules.tools:
        return None
    return style_of(tree.read(rules.config), tuple(tree.entries()), rules.tools)


def formatter(ready: Style | None) -> Formatter | None:
    """The style as the merge engine wants it."""
    if ready is None:
        return None
    known = ready
    return lambda path, text: known.one(path, text).text


def run(
    sides: Sides, policy: PathPolicy, draft: Draft, rules: FormatRules, ready: Style
) -> Formatted:
    """Format the draft's files."""
    paths = [path for path in _in_scope(sides, draft, rules) if not policy.guarded(path)]
    files = draft.read_all(paths)
    texts, findings = _decoded(files)
    done = ready.many({path: text for path, (text, _) in texts.items()})
    changed: list[str] = []
    for path in sorted(texts):
        text, encoding = texts[path]
        if done[path].text != text:
            draft.put(path, (draft.entries()[path].mode, done[path].text.encode(encoding)))
            changed.append(path)
    findings += _problems({path: styled.problem for path, styled in done.items()}.items(), rules)
    return Formatted(tuple(changed), tuple(findings))


def _in_scope(sides: Sides, draft: Draft, rules: FormatRules) -> list[str]:
    """`changed`: what differs from the target. `merged`: what is neither side's as it stands."""
    return [
        path
        for path, entry in sorted(draft.entries().items())
        if path.endswith(_PYTHON)
        and entry.mode not in (LINK, SUBMODULE)
        and entry != sides.target_tree.get(path)
        and (rules.scope == "changed" or entry != sides.source_tree.get(path))
    ]


def _decoded(
    files: dict[str, bytes],
) -> tuple[dict[str, tuple[str, str]], list[Finding]]:
    """path -> (text, encoding), and findings for what could not be read."""
    texts: dict[str, tuple[str, str]] = {}
    findings: list[Finding] = []
    for path, data in sorted(files.items()):
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
            texts[path] = (data.decode(encoding), encoding)
        except (SyntaxError, UnicodeDecodeError):
            findings.append(Finding(RULE, Severity.WARN, path, NOT_TEXT))
    return texts, findings


def _problems(problems: Iterable[tuple[str, str]], rules: FormatRules) -> list[Finding]:
    """One finding a file; one for all where every file has the same trouble."""
    said = sorted((path, words) for path, words in problems if words)
    if len(said) > 1 and len({words for _, words in said}) == 1:
        return [Finding(RULE, Severity.WARN, rules.config, said[0][1])]
    return [Finding(RULE, Severity.WARN, path, words) for path, words in said]
