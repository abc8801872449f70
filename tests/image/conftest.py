"""One build for all tests here. What is missing on the machine makes them fail; nothing skips them."""

from __future__ import annotations

import pytest

from support.image import Image, build_image


@pytest.fixture(name="image", scope="session")
def built_image() -> Image:
    """The action's image."""
    return build_image()
