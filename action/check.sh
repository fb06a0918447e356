#!/usr/bin/env bash
# Runs the packed command line: the comment into COMMENT_FILE, the exit code into the outputs of the step.
set -euo pipefail

if [[ -z ${STRIPEWISE:-} ]]; then
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$WORK_DIRECTORY/stripewise" "$INPUT_PACKAGE"
  STRIPEWISE="$WORK_DIRECTORY/stripewise/node_modules/.bin/stripewise"
fi

arguments=()
while IFS= read -r path; do
  [[ -n $path ]] && arguments+=("$path")
done <<<"$INPUT_PATHS"
[[ -n ${INPUT_REGION:-} ]] && arguments+=(--region "$INPUT_REGION")
[[ -n ${INPUT_LOAD:-} ]] && arguments+=(--load "$INPUT_LOAD")
[[ ${INPUT_CHANGED_ONLY:-} == true ]] && arguments+=(--changed-only)

# What is there, to compare with what was measured: needs credentials.
if [[ -n ${INPUT_ARCHIVE:-} ]]; then
  aws ec2 describe-volumes --output json >"$WORK_DIRECTORY/stripewise-volumes.json"
  aws ec2 describe-instances --output json >"$WORK_DIRECTORY/stripewise-instances.json"
  arguments+=(--archive "$INPUT_ARCHIVE" --volumes "$WORK_DIRECTORY/stripewise-volumes.json")
  arguments+=(--instances "$WORK_DIRECTORY/stripewise-instances.json")
fi

[[ -n ${INPUT_FAIL_ON:-} ]] && arguments+=(--fail-on "$INPUT_FAIL_ON")
[[ -n ${INPUT_SARIF:-} ]] && arguments+=(--output "sarif=$INPUT_SARIF")
arguments+=(--output "markdown=$COMMENT_FILE" --min-usd "${INPUT_MIN_USD:-0}")

# Nothing of a run before may be posted.
: >"$COMMENT_FILE"
# A name in a file may read as a command of the workflow: none is taken until the token, which nobody can guess.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
code=0
echo "::stop-commands::$token"
"$STRIPEWISE" check "${arguments[@]}" || code=$?
printf '\n::%s::\n' "$token"
echo "exit-code=$code" >>"$GITHUB_OUTPUT"
if [[ -n ${GITHUB_STEP_SUMMARY:-} ]]; then
  cat "$COMMENT_FILE" >>"$GITHUB_STEP_SUMMARY"
fi
