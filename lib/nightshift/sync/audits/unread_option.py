"""An option, or a field of a class that fills a parser, that nothing reads any more: what it
switched is gone."""

from __future__ import annotations

from collections.abc import Iterator

from nightshift.sync.audits.fault import Fault, Subject
from nightshift.sync.audits.index.facts import Facts
from nightshift.sync.audits.index.resolve import Resolver

OPTION = "unread-option"
FIELD = "unread-field"
NO_READER = "defines the option {name!r}, which nothing reads"
NO_FIELD_READER = "defines the field {name!r} of {owner}, which nothing reads"


def check(tree: Resolver, path: str, facts: Facts) -> Iterator[Fault]:
    """Options and fields that no word of the tree asks for."""
    words = tree.index.words
    for option in facts.options:
        if option.text not in words:
            message = NO_READER.format(name=option.text)
            yield Fault(
                OPTION, path, message, option.line, 0, option.scope, Subject(path, "", option.text)
            )
    for cls in facts.classes.values():
        for field in cls.fields.values():
            if field.annotation and field.name not in words and not field.name.startswith("_"):
                message = NO_FIELD_READER.format(name=field.name, owner=cls.name)
                subject = Subject(path, cls.name, field.name)
                yield Fault(FIELD, path, message, field.line, 0, cls.name, subject)
