"""The GraphQL texts. Constants only: whatever varies travels as a variable, never inside a text.

Every text is valid against GitHub's public schema; sizes are chosen so that one answer stays far
below the platform's 500,000 nodes and ten seconds.
"""

from __future__ import annotations

BACKLOG_PAGE, SMALLEST_PAGE = 50, 6
BACKLOG_COMMENTS = 30
PAGE = 100
"""The largest page that GitHub gives."""

_COMMENTS = """
fragment commentPage on IssueCommentConnection {
  pageInfo { hasNextPage endCursor }
  nodes {
    url body createdAt authorAssociation
    author { __typename login }
  }
}
"""

# An issue has 100 labels at most; its newest 50 removals reach further back than any policy looks.
_FACTS = """
  number title body url createdAt closed locked
  author { __typename login }
  labels(first: 100) { nodes { name } }
  comments(first: $comments) { ...commentPage }
  timelineItems(last: 50, itemTypes: [UNLABELED_EVENT]) {
    nodes {
      ... on UnlabeledEvent { createdAt actor { __typename login } label { name } }
    }
  }
"""
_ISSUE = f"fragment issueFacts on Issue {{{_FACTS}}}{_COMMENTS}"
_PULL = f"fragment pullFacts on PullRequest {{{_FACTS}}}"

BACKLOG = (
    """
query backlog(
  $owner: String!, $name: String!, $labels: [String!],
  $first: Int!, $comments: Int!, $cursor: String
) {
  repository(owner: $owner, name: $name) {
    url
    issues(
      first: $first, after: $cursor, states: [OPEN], labels: $labels,
      orderBy: {field: CREATED_AT, direction: DESC}
    ) {
      pageInfo { hasNextPage endCursor }
      nodes { ...issueFacts }
    }
  }
}
"""
    + _ISSUE
)

ISSUE = (
    """
query issue($owner: String!, $name: String!, $number: Int!, $comments: Int!) {
  repository(owner: $owner, name: $name) {
    url
    issueOrPullRequest(number: $number) {
      __typename
      ... on Issue { ...issueFacts }
      ... on PullRequest { ...pullFacts }
    }
  }
}
"""
    + _PULL
    + _ISSUE
)

MORE_COMMENTS = (
    """
query comments($owner: String!, $name: String!, $number: Int!, $comments: Int!, $cursor: String) {
  repository(owner: $owner, name: $name) {
    issueOrPullRequest(number: $number) {
      __typename
      ... on Issue { comments(first: $comments, after: $cursor) { ...commentPage } }
      ... on PullRequest { comments(first: $comments, after: $cursor) { ...commentPage } }
    }
  }
}
"""
    + _COMMENTS
)

_CONTEXTS = """
fragment contextPage on StatusCheckRollupContextConnection {
  pageInfo { hasNextPage endCursor }
  nodes {
    __typename
    ... on CheckRun {
      databaseId name status conclusion detailsUrl startedAt completedAt
      isRequired(pullRequestNumber: $number) @include(if: $required)
      checkSuite { workflowRun { databaseId workflow { name } } }
    }
    ... on StatusContext {
      context state targetUrl createdAt
      isRequired(pullRequestNumber: $number) @include(if: $required)
    }
  }
}
"""

# `required` can only be asked with regard to a pull request.
ROLLUP = (
    """
query rollup(
  $owner: String!, $name: String!, $sha: GitObjectID!, $first: Int!, $cursor: String,
  $number: Int, $required: Boolean!
) {
  repository(owner: $owner, name: $name) {
    object(oid: $sha) {
      __typename
      ... on Commit {
        oid
        statusCheckRollup {
          contexts(first: $first, after: $cursor) { ...contextPage }
        }
      }
    }
  }
}
"""
    + _CONTEXTS
)

STANDING = (
    """
query standing(
  $owner: String!, $name: String!, $number: Int!, $first: Int!, $comments: Int!,
  $required: Boolean!
) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      id number url title body isDraft closed merged mergedAt isCrossRepository
      headRefName headRefOid baseRefName
      author { __typename login }
      labels(first: 100) { nodes { name } }
      mergeCommit { oid }
      comments(first: $comments) { ...commentPage }
      headRef {
        target {
          __typename oid
          ... on Commit {
            statusCheckRollup { contexts(first: $first) { ...contextPage } }
          }
        }
      }
    }
  }
}
"""
    + _CONTEXTS
    + _COMMENTS
)

MARK_READY = """
mutation ready($id: ID!) {
  markPullRequestReadyForReview(input: {pullRequestId: $id}) {
    pullRequest { number isDraft }
  }
}
"""
