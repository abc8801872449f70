"""Laws that no text breaks: a run adds allowed labels and the two templates at most."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from nightshift.effects.values import AddLabels, Effect, PostComment
from nightshift.inputs import TriageInputs
from nightshift.policy.triage import TriagePolicy
from nightshift.triage.collect import Target
from nightshift.triage.comments import mark, render
from nightshift.triage.decide import decide
from nightshift.triage.guard import triage_guard
from nightshift.triage.mode import triage_mode
from nightshift.triage.text import read
from nightshift.values import Comment, Issue
from support.triage import (
    CHECKPOINTING,
    INFRA,
    MARKER,
    NOW,
    PARALLELISMS,
    FakeReader,
    harbour,
    pytorch,
)

# Pieces that mean something to the reader, so that random texts reach all of its ways.
PIECES = st.sampled_from(
    [
        "FSDP",
        "DDP hangs",
        "NCCL timeout",
        "dcp.load",
        "TCPStore",
        "segfault",
        "CUDA out of memory",
        "undefined symbol: ncclX",
        "works in 2.1, fails in 2.2",
        "silently wrong result",
        "RFC",
        "slow",
        "high priority",
        "close this issue",
        "add the label `module: rpc` to #1",
        "@someone",
        "/label x",
        "::set-output name=x::y",
        "${{ secrets.TOKEN }}",
        "$(rm -rf /)",
        "<!--",
        "-->",
        "```",
        "```python\n",
        "\n",
        "\r\n",
        "> ",
        "# ",
        "### Versions\n",
        "- [ ] ",
        "1. ",
        "`",
        "'",
        "\x00",
        "\u202e",
        "😀",
        "|",
        "Traceback (most recent call last):\n",
        '  File "a.py", line 1\n',
        "RuntimeError: x\n",
        "storage",
        "the website",
        "upload",
        "lost",
        "What happened?",
    ]
)
TEXTS = st.one_of(
    st.text(max_size=300),
    st.lists(st.one_of(PIECES, st.text(max_size=12)), max_size=40).map(" ".join),
)
LABELS = st.lists(
    st.one_of(
        st.sampled_from(
            [
                PARALLELISMS,
                INFRA,
                CHECKPOINTING,
                MARKER,
                "module: fsdp",
                "oncall: pt2",
                "high priority",
            ]
        ),
        st.text(min_size=1, max_size=50),
    ),
    max_size=5,
    unique_by=str.lower,
)
COMMENTS = st.lists(
    st.builds(
        Comment,
        body=TEXTS,
        author=st.sampled_from(["", "reporter", "ann", "helper[bot]", "pytorchbot"]),
        is_bot=st.booleans(),
    ),
    max_size=3,
)


def issues(policy: TriagePolicy) -> st.SearchStrategy[Issue]:
    return st.builds(
        Issue,
        number=st.integers(1, 10**9),
        title=TEXTS,
        body=TEXTS,
        comments=COMMENTS.map(tuple),
        labels=LABELS.map(lambda labels: (policy.labels.scope, *labels)),
        author=st.just("reporter"),
        locked=st.booleans(),
    )


def effects_of(policy: TriagePolicy, issue: Issue, *, force: bool) -> tuple[Effect, ...]:
    """What a run by number does to an issue."""
    inputs = TriageInputs(issue.number, False, 9, None, force, None)
    reader = FakeReader([issue])
    mode = triage_mode(reader, policy, Target(inputs))
    done = mode.decide(mode.collect(), NOW).effects
    triage_guard(policy, inputs).check(done)
    return done


def check(policy: TriagePolicy, issue: Issue, force: bool) -> None:
    bodies = {
        render(t): mark(t) for t in (policy.templates.out_of_scope, policy.templates.reproduction)
    }
    teams = {team.label for team in policy.teams}
    done = effects_of(policy, issue, force=force)
    assert [type(effect) for effect in done] in (
        [],
        [AddLabels],
        [PostComment],
        [AddLabels, PostComment],
    )
    for effect in done:
        assert isinstance(effect, (AddLabels, PostComment))
        assert effect.number == issue.number
        if isinstance(effect, PostComment):
            assert bodies[effect.body] == effect.marker
            continue
        present = {label.lower() for label in issue.labels}
        assert effect.labels and set(effect.labels) <= set(policy.allowed)
        assert not {label.lower() for label in effect.labels} & present
        assert policy.labels.scope not in effect.labels and "high priority" not in effect.labels
        there = {team for team in teams if team.lower() in present}
        assert len(teams & set(effect.labels)) <= (0 if there else 1)


@given(issue=issues(pytorch()), force=st.booleans())
@settings(max_examples=120, deadline=None)
def test_no_text_leads_outside_of_the_allow_list(issue: Issue, force: bool) -> None:
    check(pytorch(), issue, force)


@given(issue=issues(harbour()), force=st.booleans())
@settings(max_examples=60, deadline=None)
def test_nor_under_another_policy(issue: Issue, force: bool) -> None:
    check(harbour(), issue, force)


@given(issue=issues(pytorch()))
@settings(max_examples=40, deadline=None)
def test_a_decision_is_the_same_each_time(issue: Issue) -> None:
    assert decide(issue, pytorch(), NOW) == decide(issue, pytorch(), NOW)


@given(issue=issues(pytorch()))
@settings(max_examples=40, deadline=None)
def test_a_second_run_writes_nothing(issue: Issue) -> None:
    first = decide(issue, pytorch(), NOW, force=True)
    posted = [
        Comment(render(template), author="nightshift[bot]", is_bot=True)
        for template in (pytorch().templates.out_of_scope, pytorch().templates.reproduction)
        if template.name == first.comment
    ]
    after = Issue(
        issue.number,
        issue.title,
        issue.body,
        (*issue.comments, *posted),
        (*issue.labels, *first.add_labels),
        author=issue.author,
        locked=issue.locked,
    )
    assert not decide(after, pytorch(), NOW).writes


@given(text=TEXTS)
@settings(max_examples=80, deadline=None)
def test_reading_loses_no_line_of_prose(text: str) -> None:
    """Every word of a text without markup is in some zone."""
    words = [
        word for word in "".join(c if c.isalnum() else " " for c in text).split() if word.isascii()
    ]
    body = " ".join(words)
    found = " ".join(part.text for part in read(Issue(1, "", body), pytorch()).segments)
    assert all(word in found for word in words)
