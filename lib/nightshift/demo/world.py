"""The made-up repository as the sandbox holds it: branches, labels, issues, and a CI that really
looks.

Its checks read the pushed tree: the formatter's check runs black on it, the import check resolves
every import of the package. Neither knows what nightshift does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

import black

from nightshift.demo import issues, repository
from nightshift.policy import load
from nightshift.policy.triage import TriagePolicy
from nightshift.sandbox import Sandbox
from nightshift.sandbox.ci import After, Job, Tree
from nightshift.sandbox.repository import Repository

PACKAGE = "lighthouse"


def build(box: Sandbox) -> Repository:
    """Seed the sandbox with the repository of the demonstration."""
    made = box.state.add_repository(repository.REPOSITORY)
    made.git.git("fast-import", "--quiet", stdin=_history())
    box.ci.on_comment(checks)
    policy = load.require(load.preset(load.DEFAULTS["triage"]), TriagePolicy, name="demo")
    for label in (*policy.allowed, issues.SCOPE, "run all tests"):
        made.add_label(label)
    for issue in issues.ISSUES:
        filed = made.add_issue(issue.title, issue.body, author="keeper", labels=issue.labels)
        for comment in issue.comments:
            made.comment(filed, comment)
    return made


def checks(tree: Tree) -> Sequence[Job]:
    """What CI does with a pushed commit."""
    style, broken = list(_unformatted(tree)), list(_broken_imports(tree))
    return (
        Job("lint", workflow="Checks", conclusion=_verdict(style), log=_log(style), ends=After(1)),
        Job("imports", workflow="Checks", conclusion=_verdict(broken), log=_log(broken)),
        Job("benchmarks / far away", context=True, url="https://ci.example/benchmarks"),
        Job("codecov/patch", context=True, conclusion="failure", url="https://cov.example"),
        Job("CI gate", workflow="Checks", collects=True),
    )


def _verdict(problems: Sequence[str]) -> str:
    return "failure" if problems else "success"


def _log(problems: Sequence[str]) -> str:
    lines = [*problems, f"{len(problems)} problem(s)."]
    return "".join(f"{line}\n" for line in lines)


def _python(tree: Tree) -> Iterator[tuple[str, str]]:
    for path in tree.paths():
        if path.endswith(".py"):
            yield path, (tree.read(path) or b"").decode()


def _unformatted(tree: Tree) -> Iterator[str]:
    mode = black.Mode(line_length=100)
    for path, text in _python(tree):
        if black.format_str(text, mode=mode) != text:
            yield f"would reformat {path}"


def _broken_imports(tree: Tree) -> Iterator[str]:
    known = {path: _names(text) for path, text in _python(tree)}
    for path, text in _python(tree):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE):
                there = known.get(f"{(node.module or '').replace('.', '/')}.py", set())
                for name in node.names:
                    if name.name not in there:
                        yield (
                            f"ImportError: cannot import name '{name.name}' from "
                            f"'{node.module}' (/build/{path})"
                        )


def _names(text: str) -> set[str]:
    return {
        node.name
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }


def _history() -> bytes:
    """main, and dev grown from main's first commit, as a stream for `git fast-import`."""
    source = f"refs/heads/{repository.SOURCE}"
    target = f"refs/heads/{repository.TARGET}"
    return b"".join(
        (
            _commit(1, source, "", "Build a lighthouse", repository.BASE),
            _commit(2, target, ":1", "Colours and a sweeping beam", repository.DEV),
            _commit(3, source, ":1", "A range, a fog signal, a log", repository.MAIN),
        )
    )


def _commit(mark: int, ref: str, parent: str, message: str, files: Mapping[str, str]) -> bytes:
    head = f"commit {ref}\nmark :{mark}\ncommitter Keeper <keeper@example.org> {mark}000000 +0000\n"
    lines = [head.encode(), _data(message)]
    if parent:
        lines.append(f"from {parent}\n".encode())
    for path, text in files.items():
        lines += [f"M 100644 inline {path}\n".encode(), _data(text)]
    return b"".join(lines) + b"\n"


def _data(text: str) -> bytes:
    data = text.encode()
    return b"data %d\n%s\n" % (len(data), data)
