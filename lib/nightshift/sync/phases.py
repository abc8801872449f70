"""Facts → one step: the phases of a sync, asked in order, each round anew. Pure and
level-triggered.

The first phase that has something to do says what. Whatever was done in earlier rounds or runs
shows in the facts alone, so that a run that was killed goes on where it stood. Rules: sync.md,
phases 2 to 4.
"""

from __future__ import annotations

from datetime import datetime

from nightshift.errors import Defect
from nightshift.policy.sync import SyncPolicy
from nightshift.step import Step
from nightshift.sync import driving, opening
from nightshift.sync.facts import SyncFacts, SyncRequest
from nightshift.sync.round import Phase, Round

# name -> phase. Those of the second list need a pull request that stands, those of the third its
# checks.
BEGINNING: dict[str, Phase] = {
    "held": opening.held,
    "gone": opening.gone,
    "refused": opening.refused,
    "blocked": opening.blocked,
    "taken": opening.taken,
    "push": opening.push,
    "open": opening.open_pull,
}
STANDING: dict[str, Phase] = {
    "supersede": opening.supersede,
    "label": opening.label,
    "settle": opening.settle,
    "trigger": driving.trigger,
}
CHECKED: dict[str, Phase] = {
    "wait": driving.wait,
    "maintainer": driving.maintainer,
    "fix": driving.fix,
    "retry": driving.retry,
    "ask": driving.ask,
    "ready": driving.ready,
}

UNDECIDED = "no phase knows what to do with the facts."


def decide(facts: SyncFacts, policy: SyncPolicy, request: SyncRequest, now: datetime) -> Step:
    """The step of a round.

    :raises Defect: no phase has an answer.
    """
    current = Round(facts, policy, request, now)
    for phases in (BEGINNING, STANDING, CHECKED):
        for phase in phases.values():
            step = phase(current)
            if step is not None:
                return step
    raise Defect(UNDECIDED, where="sync")
