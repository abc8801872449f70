"""`nightshift backtest triage FILE.jsonl`: decisions against gold labels, no network.

Exit code 0 whatever the figures: they are the result. Counts nothing itself (triage/backtest.py
does).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from typing import Any

from nightshift.cli.policies import read_text, triage_policy
from nightshift.outcome import EXIT_DONE
from nightshift.triage.backtest import Count, Tally, compare
from nightshift.triage.cases import issues, said
from nightshift.triage.judge import judge
from nightshift.triage.values import Judgement

SCHEMA_VERSION = 1

Cases = list[tuple[int, Judgement, Mapping[str, Any]]]

TRIAGE_HELP = "triage decisions against gold labels"


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    modes = parser.add_subparsers(metavar="MODE", required=True, dest="backtest")
    triage = modes.add_parser("triage", help=TRIAGE_HELP, description=TRIAGE_HELP)
    triage.add_argument("file", metavar="FILE.jsonl", help="one case a line, with `gold`")
    triage.add_argument("--policy", help="a preset's name, or the path of a policy file")
    triage.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Judge every case and print the comparison."""
    policy = triage_policy(args.policy)
    text = read_text(args.file)
    cases: Cases = [(i.number, judge(i, policy), case) for i, case in issues(text, name=args.file)]
    tally = compare(cases)
    judged = {number: judgement for number, judgement, _ in cases}
    if args.json:
        print(json.dumps(_object(tally, judged), ensure_ascii=False))
    else:
        print("\n".join(_lines(tally, judged)))
    return EXIT_DONE


def _object(tally: Tally, judged: Mapping[int, Judgement]) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION,
        "cases": tally.cases,
        "totals": {question: _figures(tally.total(question)) for question in _questions(tally)},
        "labels": {f"{q}: {a}": _figures(count) for (q, a), count in sorted(tally.counts.items())},
        "teams": [
            {"wanted": wanted, "given": given, "count": count}
            for (wanted, given), count in sorted(tally.teams.items())
        ],
        "misses": [
            {
                "number": miss.number,
                "question": miss.question,
                "wanted": miss.wanted,
                "given": miss.given,
                "evidence": _evidence(judged[miss.number], miss.question),
            }
            for miss in tally.misses
        ],
    }


def _figures(count: Count) -> dict[str, float | int | None]:
    return {
        "hits": count.hits,
        "wrong": count.wrong,
        "missed": count.missed,
        "precision": _rounded(count.precision),
        "recall": _rounded(count.recall),
        "f1": _rounded(count.f1),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _questions(tally: Tally) -> list[str]:
    return list(dict.fromkeys(question for question, _ in tally.counts))


def _evidence(judged: Judgement, question: str) -> list[str]:
    """What made the answer to a question."""
    parts = {
        "in scope": judged.scope_evidence,
        "team": judged.team.evidence,
        "module": tuple(item for verdict in judged.modules for item in verdict.evidence[:2]),
        "type": judged.kind_evidence,
        "high priority": tuple(item for verdict in judged.criteria for item in verdict.evidence),
    }
    return [said(item) for item in parts.get(question, ())]


def _lines(tally: Tally, judged: Mapping[int, Judgement]) -> Iterator[str]:
    yield f"{tally.cases} cases"
    yield f"{'':44}{'precision':>10}{'recall':>10}{'F1':>10}{'hits':>7}{'wrong':>7}{'missed':>7}"
    for question in _questions(tally):
        yield _row(question, tally.total(question))
        answers = sorted(answer for asked, answer in tally.counts if asked == question)
        if answers != ["yes"]:
            yield from (_row(f"  {answer}", tally.counts[question, answer]) for answer in answers)
    yield "\nteams: wanted -> given"
    for (wanted, given), count in sorted(tally.teams.items()):
        yield f"{count:5}  {wanted} -> {given}"
    yield f"\n{len(tally.misses)} misses"
    for miss in tally.misses:
        wanted, given = ", ".join(miss.wanted) or "no", ", ".join(miss.given) or "no"
        yield f"#{miss.number} {miss.question}: wanted {wanted}; given {given}"
        yield from (f"    {line}" for line in _evidence(judged[miss.number], miss.question))


def _row(name: str, count: Count) -> str:
    figures = "".join(
        f"{'-' if value is None else format(value, '.3f'):>10}"
        for value in (count.precision, count.recall, count.f1)
    )
    return f"{name:44}{figures}{count.hits:7}{count.wrong:7}{count.missed:7}"
