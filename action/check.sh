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

if [[ -n ${INPUT_SARIF:-} ]]; then
  "$STRIPEWISE" check "${arguments[@]}" --format sarif >"$INPUT_SARIF" || true
fi

failing=()
[[ -n ${INPUT_FAIL_ON:-} ]] && failing=(--fail-on "$INPUT_FAIL_ON")
code=0
"$STRIPEWISE" check "${arguments[@]}" "${failing[@]}" --format markdown --min-usd "${INPUT_MIN_USD:-0}" >"$COMMENT_FILE" || code=$?
echo "exit-code=$code" >>"$GITHUB_OUTPUT"
if [[ -n ${GITHUB_STEP_SUMMARY:-} ]]; then
  cat "$COMMENT_FILE" >>"$GITHUB_STEP_SUMMARY"
fi
