#!/usr/bin/env bash
# Keeps one comment on a pull request: found by its mark, updated, and never repeated. Without anything to say none is made.
set -euo pipefail

mark='<!-- stripewise-check -->'
comments="repos/$REPOSITORY/issues/$PULL_REQUEST/comments"

# Whose token it is; that of a workflow has no user, and writes as a bot.
author='.user.type == "Bot"'
if login=$(gh api user --jq .login 2>/dev/null) && [[ $login =~ ^[A-Za-z0-9_-]+(\[bot\])?$ ]]; then
  author=".user.login == \"$login\""
fi
ours=".[] | select($author and (.body | startswith(\"$mark\"))) | .id"
id=$(gh api --paginate "$comments" --jq "$ours" | sed -n 1p)

if [[ ! -s $COMMENT_FILE ]]; then
  [[ -z $id ]] && exit 0
  text='no findings any more.'
  [[ ${EXIT_CODE:-0} == 3 ]] && text='a file was not read, so it is not known whether there are findings.'
  printf '%s\n%s\n' "$mark" "**stripewise check: $text**" >"$COMMENT_FILE"
fi

if [[ -n $id ]]; then
  gh api --method PATCH "repos/$REPOSITORY/issues/comments/$id" --field "body=@$COMMENT_FILE" --silent
else
  gh api --method POST "$comments" --field "body=@$COMMENT_FILE" --silent
fi
