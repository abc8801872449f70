"""The GraphQL face of the sandbox: GitHub's own field names over a subset of its schema."""
