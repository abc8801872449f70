"""Whether a failure is the target's own: by evidence of its recent pull requests only. Pure.

The newest of them on which the same check ran to its end decides. It failed the same way there: the
failure is accepted, with the evidence. It passed, or failed in another way: ours. It was skipped or
never ran: no evidence, which is never enough.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nightshift.sync.checks import CheckKey, Normal
from nightshift.sync.diagnose import Signature

RAN_TO_ITS_END = frozenset({"SUCCESS", "NEUTRAL", "FAILURE"})


@dataclass(frozen=True, slots=True)
class Past:
    """How a check ended on a merged pull request.

    :param item: its newest entry there, None where it never ran.
    :param signature: of its log, where it failed.
    """

    number: int
    url: str
    item: Normal | None
    signature: Signature = frozenset()

    @property
    def decides(self) -> bool:
        """Whether it ran to its end."""
        return self.item is not None and self.item.conclusion in RAN_TO_ITS_END


@dataclass(frozen=True, slots=True)
class Evidence:
    """A failure that is the target's own.

    :param number, url: the merged pull request; `run_url`: the check there that failed the same
        way.
    """

    key: CheckKey
    number: int
    url: str
    run_url: str


def judge(item: Normal, signature: Signature, history: Iterable[Past]) -> Evidence | None:
    """The evidence that a failure is the target's own, None where there is none.

    :param signature: what our failure's log told; nothing told can be compared with nothing.
    :param history: merged pull requests into the target, newest first; read no further than needed.
    """
    if item.external or item.conclusion != "FAILURE" or not signature:
        return None
    past = next((past for past in history if past.decides), None)
    if past is None or past.item is None or past.item.conclusion != item.conclusion:
        return None
    if not signature <= past.signature:
        return None
    return Evidence(item.key, past.number, past.url, past.item.check.url)
