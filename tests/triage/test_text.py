"""An issue taken apart: which words stand in which zone, spoken by whom."""

from __future__ import annotations

import pytest

from nightshift.policy.triage import Zone
from nightshift.triage.text import read, voice_of
from nightshift.triage.zones import Document, Voice
from nightshift.values import Comment
from support.triage import issue, pytorch

TRACE = """Traceback (most recent call last):
  File "train.py", line 3, in <module>
    main()
  File "/opt/site-packages/torch/distributed/fsdp/api.py", line 9, in forward
    handle.unshard()
  File "/opt/site-packages/torch/nn/modules/module.py", line 100, in _call_impl
    return forward_call(*args)
RuntimeError: it broke"""


def parts(body: str, *comments: Comment | str) -> Document:
    return read(issue(("a title", body), comments=comments), pytorch())


def words(document: Document, zone: Zone, *voices: Voice) -> str:
    found = document.said(zone, voices=voices or (Voice.AUTHOR,))
    return "\n".join(part.text for part in found)


def test_the_title_and_the_lead() -> None:
    document = parts("first words\n\n" + "x" * 400 + "\n\nlater words")
    assert words(document, Zone.TITLE) == "a title"
    assert words(document, Zone.LEAD).startswith("first words")
    assert "later words" in words(document, Zone.PROSE)


def test_a_trace_has_frames_a_cause_and_an_error() -> None:
    document = parts(f"```\n{TRACE}\n```")
    assert "train.py" in words(document, Zone.FRAME)
    assert "module.py" in words(document, Zone.FRAME)
    cause = words(document, Zone.CAUSE)
    assert "fsdp/api.py" in cause and "handle.unshard()" in cause
    assert words(document, Zone.ERROR) == "RuntimeError: it broke"


@pytest.mark.parametrize("prefix", ["[rank0]: ", "[rank12]:", "E   "])
def test_a_trace_with_a_launchers_prefix(prefix: str) -> None:
    trace = "\n".join(prefix + line for line in TRACE.split("\n"))
    document = parts(f"```\n{trace}\n```")
    assert "fsdp/api.py" in words(document, Zone.CAUSE)
    assert "it broke" in words(document, Zone.ERROR)


def test_a_trace_without_a_fence_is_still_a_trace() -> None:
    document = parts("It says\n" + TRACE)
    assert "fsdp/api.py" in words(document, Zone.CAUSE)
    assert "it broke" in words(document, Zone.ERROR)


def test_a_trace_pasted_as_a_quote_is_a_trace_but_only_in_the_body() -> None:
    quoted = "\n".join("> " + line for line in TRACE.split("\n"))
    assert "it broke" in words(parts(quoted), Zone.ERROR)
    assert "it broke" in words(parts("x", quoted), Zone.QUOTE, Voice.OTHERS)


def test_without_frames_of_our_own_the_last_frame_is_the_cause() -> None:
    document = parts(
        '```\n  File "a.py", line 1, in f\n  File "b.py", line 2, in g\nKeyError: 1\n```'
    )
    assert "b.py" in words(document, Zone.CAUSE)


def test_code_commands_and_logs() -> None:
    document = parts(
        "```\nmodel(x)\n$ torchrun --nnodes=2 a.py\n[W1013 10:00:00.1 socket.cpp:1] hm\n"
        "2024-01-01 10:00:00 INFO started\n```"
    )
    assert words(document, Zone.CODE) == "model(x)\n"
    assert "torchrun" in words(document, Zone.COMMAND)
    assert "socket.cpp" in words(document, Zone.LOG) and "started" in words(document, Zone.LOG)


def test_the_forms_words_are_furniture() -> None:
    document = parts("### 🐛 Describe the bug\n\nmine\n\n- [ ] tick me\n\ncc @ann @bob\n\nN/A")
    assert words(document, Zone.LEAD).strip() == "mine"
    for text in ("Describe the bug", "tick me", "@ann", "N/A"):
        assert text in words(document, Zone.FURNITURE)


def test_a_ticked_box_is_said() -> None:
    assert "done" in words(parts("- [x] done"), Zone.LEAD)


@pytest.mark.parametrize(
    "body",
    [
        "### Versions\n\nNCCL 2.1\n\n```\nnccl\n```",
        "```\nCollecting environment information...\nnccl\n```",
        "Collecting environment information...\nPyTorch version: 2.1\nnccl",
    ],
)
def test_dumps_of_versions(body: str) -> None:
    document = parts(body)
    assert "nccl" in words(document, Zone.ENVIRONMENT).lower()
    assert "nccl" not in words(document, Zone.LEAD).lower()


@pytest.mark.parametrize(
    "body", ["a <!-- hidden --> b", "<!-- hidden -->\n\nb", "b\n\n<!-- hidden"]
)
def test_html_comments_are_hidden(body: str) -> None:
    document = parts(body)
    assert "hidden" in words(document, Zone.HIDDEN)
    assert "hidden" not in words(document, Zone.LEAD)
    assert "b" in words(document, Zone.LEAD)


def test_an_html_comment_in_code_is_code() -> None:
    assert "<!-- x -->" in words(parts("```\n<!-- x -->\n```"), Zone.CODE)


def test_a_fence_that_nothing_closes_ends_at_the_forms_next_heading() -> None:
    document = parts("```python\nmodel(x)\n### Versions\n\nnccl 2\n\n### More\n\nwords")
    assert words(document, Zone.CODE) == "model(x)"
    assert "nccl" in words(document, Zone.ENVIRONMENT)
    assert "words" in words(document, Zone.LEAD)


def test_line_ends_of_windows() -> None:
    body = f"```\n{TRACE}\n```\nwords"
    assert parts(body.replace("\n", "\r\n")) == parts(body)


@pytest.mark.parametrize(
    ("comment", "voice"),
    [
        (Comment("x", author="reporter"), Voice.AUTHOR_LATER),
        (Comment("x", author="ann"), Voice.OTHERS),
        (Comment("x"), Voice.OTHERS),
        (Comment("x", author="helper[bot]"), Voice.BOT),
        (Comment("x", author="helper", is_bot=True), Voice.BOT),
        (Comment("x", author="PyTorchBot"), Voice.BOT),
    ],
)
def test_voices(comment: Comment, voice: Voice) -> None:
    assert voice_of(comment, issue(), pytorch().bots) is voice


def test_bots_are_not_read() -> None:
    document = parts("x", Comment("TCPStore", author="helper[bot]"))
    assert all("TCPStore" not in part.text for part in document.segments)


def test_labels_are_a_zone() -> None:
    assert "oncall: distributed" in words(parts("x"), Zone.LABEL)


NOISE = {
    "backticks": "`" * 20_000,
    "fences": "```\n" * 16_384,
    "tildes and fences": "~~~\n```\n" * 8_000,
    "one line": "x" * 65_536,
    "html": "<!-- " + "a " * 30_000,
    "html again": "<!--" * 16_000,
    "quotes": "> " * 32_000,
    "lists": "* a\n" * 16_000,
    "brackets": "[" * 65_536,
    "emoji": "😀" * 65_536,
    "crlf": "a\r\n" * 21_000,
    "cr": "a\r" * 30_000,
    "nul": "\0" * 65_536,
    "surrogates": "\ud800" * 1000,
    "rtl": "\u202e" * 65_536,
    "spaces": " " * 65_536,
    "frames": '  File "x", line 1\n' * 3_000,
    "errors": "RuntimeError: " * 4_600,
    "words": "FSDP DDP NCCL " * 4_600,
    "denials": "not with FSDP " * 4_600,
    "minified": "[rank0]: RuntimeError: NCCL error " * 1_900,
    "empty": "",
}


@pytest.mark.parametrize("text", NOISE.values(), ids=NOISE)
def test_noise_is_read(text: str) -> None:
    document = read(issue(("t", text), comments=[text]), pytorch())
    assert document.segments[0].text == "t"


@pytest.mark.parametrize("text", NOISE.values(), ids=NOISE)
def test_noise_around_a_report_does_not_hide_it(text: str) -> None:
    body = "TCPStore.wait ignores its timeout.\n\n" + text
    document = read(issue(("t", body)), pytorch())
    assert "TCPStore" in words(document, Zone.LEAD)


def test_length_is_limited_to_the_platforms() -> None:
    document = parts("x" * 65_536 + "TCPStore")
    assert all("TCPStore" not in part.text for part in document.segments)


def test_the_lead_ends_with_its_sentence() -> None:
    first = "word " * 60 + "and in v1.2.0 this was fine, since nobody looked at it at all. "
    found = read(issue(("t", first + "The rest. " * 20)), pytorch()).said(Zone.LEAD)
    assert found[0].text == first
    endless = read(issue(("t", "x" * 9000)), pytorch()).said(Zone.LEAD)
    assert len(endless[0].text) < 1000
