"""How GraphQL shows accounts."""

from __future__ import annotations

from nightshift.sandbox.context import Context
from nightshift.sandbox.forms import node_id
from nightshift.sandbox.graphql.values import Json
from nightshift.sandbox.model import User


def actor(context: Context, account: User) -> Json:
    """An account. GraphQL shows an app's login without `[bot]`, unlike REST."""
    return {
        "__typename": "Bot" if account.is_bot else "User",
        "id": node_id("BOT" if account.is_bot else "U", account.id),
        "databaseId": account.id,
        "login": account.slug,
        "url": context.urls.user_page(account),
    }
