"""Git sources of dependencies: what only the source's table has is added to the target's file,
layout kept (sync.md, phase 1 point 6). Text to text; looks into no repository itself.

Same name, another revision: the target's stays, unless the caller's probe says that it is broken.
What has changed makes the lock stale; regenerating it is the caller's job.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Item, Table
from tomlkit.toml_document import TOMLDocument

from nightshift.policy.model import Severity
from nightshift.policy.sync import GitSources
from nightshift.sync.audits.index.facts import Facts
from nightshift.sync.findings import Disposition, Finding

ADDED, TAKEN, CONFLICT, STALE, UNREADABLE = (
    "git-source-added",
    "git-source-taken",
    "git-source-conflict",
    "git-source-lock",
    "git-sources-unreadable",
)
ADDED_WORDS = "{name} comes from git on the source only ({where}): added."
TAKEN_WORDS = "{name}: the target's revision is broken ({why}); the source's is taken: {where}."
KEPT_WORDS = "{name}: the target's {ours} is kept, the source has {theirs}{why}."
UNREADABLE_WORDS = "{side} cannot be read as TOML: {why}. No source was looked at."
SEPARATORS = re.compile(r"[-_.]+")
REVISIONS = ("rev", "tag", "branch")


@dataclass(frozen=True, slots=True)
class GitSource:
    """One git source: the dependency's name as written, the repository, the revision, "" for its
    default, and the project's folder in the repository."""

    name: str
    url: str
    revision: str
    folder: str = ""

    def __str__(self) -> str:
        return f"{self.url}@{self.revision}" if self.revision else self.url


@dataclass(frozen=True, slots=True)
class Look:
    """What a look into a revision found: why it is broken, or why nobody can tell; neither where it
    is sound."""

    broken: str = ""
    unknown: str = ""


Probe = Callable[[GitSource, GitSource | None], Look]
"""(the target's, the source's of the same name) -> whether the target's is broken."""

NO_PROBE = "could not be checked: this run looks into no repository"


def unprobed(_ours: GitSource, _theirs: GitSource | None) -> Look:
    """The probe of a run that has no network."""
    return Look(unknown=NO_PROBE)


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What became of the table.

    :param text: the target's file with what was added; None where nothing changes.
    """

    text: str | None
    findings: tuple[Finding, ...] = ()


def reconcile(target: str, source: str, rules: GitSources, probe: Probe = unprobed) -> Reconciled:
    """The target's file with the git sources that only the source's file has.

    :param probe: looks into the target's revision of a source that both have.
    """
    side = "the target's file"
    try:
        ours = tomlkit.parse(target)
        side = "the source's file"
        theirs = tomlkit.parse(source)
    except TOMLKitError as error:
        words = UNREADABLE_WORDS.format(side=side, why=error)
        return Reconciled(None, (Finding(UNREADABLE, Severity.WARN, rules.file, words),))
    findings = tuple(_reconcile(ours, theirs, rules, probe))
    done = any(finding.rule in (ADDED, TAKEN) for finding in findings)
    return Reconciled(tomlkit.dumps(ours) if done else None, findings)


def _reconcile(
    ours: TOMLDocument, theirs: TOMLDocument, rules: GitSources, probe: Probe
) -> Iterator[Finding]:
    wanted = _table(theirs, rules.table)
    have = _table(ours, rules.table)
    names = {_normal(name): name for name in (have if have is not None else ())}
    for name, item in wanted.items() if wanted is not None else ():
        theirs_git = git_sources(name, item)
        if not theirs_git:
            continue
        own = names.get(_normal(name))
        if own is None:
            have = _put(ours, rules.table, name, item)
            words = ADDED_WORDS.format(name=name, where=_words(theirs_git))
            yield _done(ADDED, rules.file, words)
        elif have is not None and _plain(have[own]) != _plain(item):
            yield _conflict(have, own, item, rules.file, probe)


def _conflict(have: Table, name: str, item: Item, path: str, probe: Probe) -> Finding:
    """A source that both have: the target's, unless it is broken. Looked at and sound, it is meant
    to differ."""
    ours, theirs = git_sources(name, have[name]), git_sources(name, item)
    looks = [probe(one, _partner(number, theirs)) for number, one in enumerate(ours)]
    broken = next((look.broken for look in looks if look.broken), "")
    if broken:
        have[name] = _copy(item)
        words = TAKEN_WORDS.format(name=name, why=broken, where=_words(theirs))
        return _done(TAKEN, path, words)
    why = next((f"; it {look.unknown}" for look in looks if look.unknown), "")
    kept = _words(ours) or "other kind of source"
    words = KEPT_WORDS.format(name=name, ours=kept, theirs=_words(theirs), why=why)
    left = Disposition.OPEN if why or not ours else Disposition.INTENDED
    return Finding(CONFLICT, Severity.WARN, path, words, disposition=left)


def _partner(number: int, theirs: Sequence[GitSource]) -> GitSource | None:
    """The other side's source for the same platform: the lists are in the same order."""
    return theirs[min(number, len(theirs) - 1)] if theirs else None


def _done(rule: str, path: str, words: str) -> Finding:
    return Finding(rule, Severity.WARN, path, words, disposition=Disposition.REPAIRED)


def git_sources(name: str, item: Any) -> tuple[GitSource, ...]:
    """The git sources of one dependency: it may have several, one for each platform."""
    plain = _plain(item)
    entries = plain if isinstance(plain, list) else [plain]
    found = (
        entry for entry in entries if isinstance(entry, dict) and isinstance(entry.get("git"), str)
    )
    return tuple(
        GitSource(name, entry["git"], _revision(entry), str(entry.get("subdirectory", "")))
        for entry in found
    )


def _revision(entry: Mapping[str, Any]) -> str:
    return next((str(entry[key]) for key in REVISIONS if key in entry), "")


def _words(sources: Iterable[GitSource]) -> str:
    return ", ".join(str(source) for source in sources)


def _plain(item: Any) -> Any:
    return item.unwrap() if hasattr(item, "unwrap") else item


def _normal(name: str) -> str:
    """A dependency's name as packaging compares it (PEP 503)."""
    return SEPARATORS.sub("-", name).lower()


def _table(document: TOMLDocument, dotted: str) -> Any:
    found: Any = document
    for part in dotted.split("."):
        if not isinstance(found, Mapping) or part not in found:
            return None
        found = found[part]
    return found if isinstance(found, Mapping) else None


def _put(document: TOMLDocument, dotted: str, name: str, item: Item) -> Any:
    """Add one source to the table, which is made where it is missing."""
    table = _table(document, dotted)
    if table is None:
        table = tomlkit.table()
        holder: Any = document
        *outer, last = dotted.split(".")
        for part in outer:
            if part not in holder:
                holder.add(part, tomlkit.table(is_super_table=True))
            holder = holder[part]
        holder.add(last, table)
        table = holder[last]
    table[name] = _copy(item)
    return table


def _copy(item: Item) -> Item:
    """The item as its own file writes it, comment and all, without its place there."""
    text = f"x = {item.as_string()}{item.trivia.comment_ws}{item.trivia.comment}\n"
    try:
        copied = tomlkit.parse(text).item("x")
    except TOMLKitError:
        copied = tomlkit.item(_plain(item))
    return copied if isinstance(copied, Item) else tomlkit.item(_plain(item))


def imported_from(
    modules: Iterable[tuple[str, Facts]], package: str
) -> Mapping[str, Sequence[str]]:
    """Which names a tree imports from a distribution's package: module -> names, for a probe to
    look for.

    :param package: the name that is imported, such as `nvidia_resiliency_ext`.
    """
    found: dict[str, set[str]] = {}
    for _, facts in modules:
        for one in facts.imports:
            if not one.level and (one.module == package or one.module.startswith(f"{package}.")):
                found.setdefault(one.module, set()).add(one.name)
    return {module: sorted(names - {"", "*"}) for module, names in sorted(found.items())}
