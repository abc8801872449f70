"""The rules that look at one file of one tree at a time. A new rule is a file of its own and a line
here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from nightshift.sync.audits import (
    call_mismatch,
    exports,
    implementers,
    lost_class,
    mentions,
    removed_twice,
    undefined_name,
    unknown_argument,
    unknown_attribute,
    unknown_import,
    unread_option,
)
from nightshift.sync.audits.fault import Fault
from nightshift.sync.audits.index.facts import Facts
from nightshift.sync.audits.index.resolve import Resolver

Rule = Callable[[Resolver, str, Facts], Iterator[Fault]]

RULES: Mapping[str, Rule] = {
    "undefined-name": undefined_name.check,
    "unknown-import": unknown_import.check,
    "unknown-attribute": unknown_attribute.check,
    "call-mismatch": call_mismatch.check,
    "unknown-argument": unknown_argument.check,
    "implementers": implementers.check,
    "removed-twice": removed_twice.check,
    "exports": exports.check,
    "mentions": mentions.check,
    "lost-class": lost_class.check,
    "unread-option": unread_option.check,
}
