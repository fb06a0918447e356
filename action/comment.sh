#!/usr/bin/env bash
# Keeps one comment on a pull request: found by its mark, updated, and never repeated. Without anything to say none is made.
set -euo pipefail

mark='<!-- stripewise-check -->'
comments="repos/$REPOSITORY/issues/$PULL_REQUEST/comments"
ours=".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$mark\"))) | .id"
id=$(gh api --paginate "$comments" --jq "$ours" | sed -n 1p)

if [[ ! -s $COMMENT_FILE ]]; then
  [[ -z $id ]] && exit 0
  printf '%s\n%s\n' "$mark" '**stripewise check: no findings any more.**' >"$COMMENT_FILE"
fi

if [[ -n $id ]]; then
  gh api --method PATCH "repos/$REPOSITORY/issues/comments/$id" --field "body=@$COMMENT_FILE" --silent
else
  gh api --method POST "$comments" --field "body=@$COMMENT_FILE" --silent
fi
