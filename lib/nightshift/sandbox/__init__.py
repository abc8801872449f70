"""A stateful GitHub on loopback: REST, GraphQL, a git remote over HTTP, and scripted CI.

For the demo, the tests, and anyone who wants to try a policy without touching a repository. It
knows nothing of the rest of nightshift and must not import it.
"""

from nightshift.sandbox.jobs import NEVER, After, Job, Tree
from nightshift.sandbox.server import Sandbox

__all__ = ["NEVER", "After", "Job", "Sandbox", "Tree"]
