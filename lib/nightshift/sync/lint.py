"""The linter's named messages on the files that the merge changed: what is certain is mended, the
rest is reported (sync.md, phase 1 point 11).

A missing docstring is taken from the side that has it, else written as a stub where policy wants
one; a long comment is wrapped. What a file had at the target already is not the merge's. Which tool
it is, and how it is run, is the port's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nightshift.errors import HostError
from nightshift.merge.symbols import parse
from nightshift.policy.globs import matches
from nightshift.policy.sync import LintRules
from nightshift.ports import Linter, Style, TreeView
from nightshift.sync.draft import Draft
from nightshift.sync.findings import Disposition, Finding
from nightshift.sync.fixes import docstring
from nightshift.sync.fixes.cause import Trees, read_text
from nightshift.sync.fixes.long_line import wrapped
from nightshift.sync.lint_candidates import DOCSTRINGS, LONG_LINE, OF_FILE, may_have_new
from nightshift.sync.lint_settings import DEFAULT_WIDTH, WIDTH, settings
from nightshift.sync.paths import PathPolicy
from nightshift.sync.sides import LINK, SUBMODULE, Sides
from nightshift.values import LintMessage

STUB = "a stub was written for {name}: {text}"
TAKEN = "the docstring of {name} was taken from the side that has it."
WRAPPED = "the line was wrapped."
THE_FILE = "the file"


@dataclass(frozen=True, slots=True)
class Linted:
    """What became of the linter's messages.

    :param paths: the files that were edited.
    :param problem: why the linter could not be run, "" where it was.
    """

    paths: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class LintTools:
    """What linting needs besides trees.

    :param style: for files that were edited and were in style before; None: they stay as edited.
    """

    linter: Linter
    style: Style | None


@dataclass(frozen=True, slots=True)
class _Mended:
    """A message, and what was done about it."""

    message: LintMessage
    words: str


def run(
    sides: Sides, policy: PathPolicy, draft: Draft, rules: LintRules, tools: LintTools
) -> Linted:
    """Lint the draft's files, and mend what can be mended for certain."""
    try:
        return _Work(sides, draft, rules, tools).run(_in_scope(sides, policy, draft, rules))
    except HostError as error:
        return Linted(problem=str(error))


def _in_scope(sides: Sides, policy: PathPolicy, draft: Draft, rules: LintRules) -> list[str]:
    return [
        path
        for path, entry in sorted(draft.entries().items())
        if path.endswith(".py")
        and entry.mode not in (LINK, SUBMODULE)
        and entry != sides.target_tree.get(path)
        and any(matches(pattern, path) for pattern in rules.paths)
        and not policy.guarded(path)
    ]


class _Work:
    """One run of the linter over a draft, and a second one over what was edited."""

    def __init__(self, sides: Sides, draft: Draft, rules: LintRules, tools: LintTools) -> None:
        self._draft, self._rules = draft, rules
        self._linter, self._style = tools.linter, tools.style
        target, source = (sides.git.tree(end) for end in (sides.target, sides.source))
        stubs = rules.missing_docstring == "stub"
        self._trees = Trees(draft, target, source, stubs)
        self._settings = settings(draft, rules.config)
        self._mended: list[_Mended] = []
        self._others: dict[str, bytes] = {}

    def run(self, paths: Sequence[str]) -> Linted:
        """Look, mend, look again."""
        new = self._new(paths)
        edited = [path for path in sorted({m.path for m in new}) if self._mend(path, new)]
        left = [m for m in new if m.path not in edited] + self._new(edited)
        return Linted(tuple(edited), tuple(self._findings(left)))

    def _new(self, paths: Sequence[str]) -> list[LintMessage]:
        """The messages that the draft's files have, and the target's do not.

        Of those that the linter is not certain of, what the source has too is left out: its own
        checks, with all of its dependencies at hand, have let it pass.
        """
        files = self._candidates(paths)
        found = self._ask(files)
        doubtful = [m for m in found if not m.certain]
        had = self._keys(self._trees.target, found)
        passed = self._keys(self._trees.source, doubtful)
        new: list[LintMessage] = []
        for message in found:
            key = _key(message, files[message.path])
            had[key] -= 1
            if had[key] < 0 and (message.certain or not passed[key]):
                new.append(message)
        return new

    def _keys(self, side: TreeView, about: Sequence[LintMessage]) -> Counter[tuple[str, str, str]]:
        """What the linter says of a side's versions of the files that messages are about."""
        texts = {path: side.read(path) for path in sorted({m.path for m in about})}
        files = {path: data for path, data in texts.items() if data is not None}
        return Counter(_key(m, files[m.path]) for m in self._ask(files))

    def _ask(self, files: Mapping[str, bytes]) -> Sequence[LintMessage]:
        if not files:
            return ()
        return self._linter(files, self._rules.messages, self._settings, self._beside(files))

    def _beside(self, files: Mapping[str, bytes]) -> Mapping[str, bytes]:
        """The Python files of the folders at the top that these are in: what they may inherit
        from."""
        tops = tuple({f"{path.partition('/')[0]}/" for path in files if "/" in path})
        if not self._others:
            entries = self._draft.entries()
            plain = (p for p, entry in entries.items() if entry.mode not in (LINK, SUBMODULE))
            self._others = self._draft.read_all(
                path for path in sorted(plain) if path.endswith(".py") and path.startswith(tops)
            )
        return self._others

    def _candidates(self, paths: Sequence[str]) -> dict[str, bytes]:
        old = {path: self._trees.target.read(path) for path in paths}
        return {
            path: data
            for path, data in self._draft.read_all(paths).items()
            if may_have_new(data, old[path], self._rules.messages, self._settings)
        }

    def _mend(self, path: str, messages: Sequence[LintMessage]) -> bool:
        """Edit one file, from its end to its beginning, so that lines hold; whether it changed."""
        before = read_text(self._draft, path)
        if before is None:
            return False
        text, done = before, list[_Mended]()
        for message in sorted(messages, key=lambda m: -m.line):
            answer = self._answer(message, text) if message.path == path else None
            if answer is not None and answer[0] != text:
                text = answer[0]
                done.append(_Mended(message, answer[1]))
        if not done or parse(text) is None:
            return False
        text = self._styled(path, before, text)
        self._draft.put(path, (self._draft.entries()[path].mode, text.encode("utf-8")))
        self._mended += done
        return True

    def _answer(self, message: LintMessage, text: str) -> tuple[str, str] | None:
        """The text with a message answered, and what was done."""
        if message.symbol in DOCSTRINGS:
            return self._with_docstring(message, text)
        if message.symbol == LONG_LINE:
            return self._wrapped(message, text)
        return None

    def _with_docstring(self, message: LintMessage, text: str) -> tuple[str, str] | None:
        of_file = message.symbol == OF_FILE
        place = docstring.missing(text, message.line, of_file=of_file)
        lines = docstring.text_for(message.path, place, self._trees) if place else None
        if place is None or lines is None:
            return None
        name = place.name.lstrip(".") or THE_FILE
        is_stub = lines == docstring.stub(message.path, place)
        words = STUB.format(name=name, text=lines.strip()) if is_stub else TAKEN.format(name=name)
        return docstring.added(text, place, lines), words

    def _wrapped(self, message: LintMessage, text: str) -> tuple[str, str] | None:
        width = int(self._settings.get(WIDTH, DEFAULT_WIDTH))
        after = wrapped(text, message.line, width)
        return None if after is None else (after, WRAPPED)

    def _styled(self, path: str, before: str, after: str) -> str:
        """In style again, where it was: a file that is not (its imports' order was put back, say)
        must not come into it by this."""
        if self._style is None or self._style.one(path, before).text != before:
            return after
        return self._style.one(path, after).text

    def _findings(self, left: Sequence[LintMessage]) -> Iterator[Finding]:
        severity = self._rules.severity
        open_ = Counter((m.path, m.symbol, m.obj, m.message) for m in left)
        for item in sorted(self._mended, key=lambda item: (item.message.path, item.message.line)):
            m = item.message
            if not open_[(m.path, m.symbol, m.obj, m.message)]:
                yield Finding(m.symbol, severity, m.path, item.words, m.line, Disposition.REPAIRED)
        for m in sorted(left, key=lambda m: (m.path, m.line, m.symbol)):
            yield Finding(m.symbol, severity, m.path, m.message, m.line)


def _key(message: LintMessage, data: bytes) -> tuple[str, str, str]:
    """A message without its line number: of a definition its name, else the text of its line."""
    lines = data.split(b"\n")
    line = lines[message.line - 1] if 0 < message.line <= len(lines) else b""
    about = message.obj or line.strip().decode("utf-8", "surrogateescape")
    of_file = message.symbol == OF_FILE
    return message.path, message.symbol, "" if of_file else about
