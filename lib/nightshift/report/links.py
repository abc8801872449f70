"""Addresses in reports. What is not plainly an address of the web is no link."""

from __future__ import annotations

import re2

from nightshift.report.markdown import escape

_ADDRESS = re2.compile(r"https?://[A-Za-z0-9._~:/?#@!$&'*+,;=%-]+")
_LONGEST = 2000


def link(text: str, url: str) -> str:
    """Foreign text that leads to a foreign address, as inline Markdown."""
    shown = escape(text)
    plain = len(url) <= _LONGEST and _ADDRESS.fullmatch(url)
    return f"[{shown}](<{url}>)" if plain else shown
