#!/bin/sh
# The AWS CLI of a guest, which has no network. It knows one command: aws s3 cp FILE s3://BUCKET/KEY. It leaves a request;
# who runs the guest looks for one while a command of Systems Manager runs, uploads the file, and answers.
set -u
spool=/run/stripewise-aws
refuse() {
  printf 'aws: error: %s: this host knows only aws s3 cp FILE s3://BUCKET/KEY\n' "$*" >&2
  exit 252
}

[ "${1-} ${2-}" = 's3 cp' ] || refuse "${1-} ${2-}"
shift 2
file=
uri=
is_quiet=
for argument in "$@"; do
  case $argument in
    --only-show-errors | --quiet) is_quiet=yes ;;
    --no-progress) ;;
    -*) refuse "$argument" ;;
    s3://*/?*) uri=$argument ;;
    *) file=$argument ;;
  esac
done
[ -n "$file" ] && [ -n "$uri" ] || refuse "$*"
[ -f "$file" ] || {
  printf 'The user-provided path %s does not exist.\n' "$file" >&2
  exit 255
}

mkdir -p "$spool" && exec 9> "$spool/lock" && flock 9 || exit 1
# One that was killed may have left its own.
id=$$-$(date +%s%N)
rm -f "$spool/answer"
printf '%s\n%s\n%s\n' "$id" "$(readlink -f "$file")" "$uri" > "$spool/request.new" &&
  mv "$spool/request.new" "$spool/request" || exit 1
# Half a line is none to `read`.
until [ -f "$spool/answer" ] && read -r of status text < "$spool/answer" && [ "$of" = "$id" ]; do sleep 0.2; done
rm -f "$spool/request" "$spool/answer"

if [ "$status" != 0 ]; then
  printf 'upload failed: %s to %s %s\n' "$file" "$uri" "$text" >&2
  exit 1
fi
[ -n "$is_quiet" ] || printf 'upload: %s to %s\n' "$file" "$uri"
