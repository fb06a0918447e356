#!/bin/sh
# Snapshots of all members of a stripe, taken together while its file systems are frozen. All that can fail is tried before
# anything is frozen. A watchdog, which is no child of the command that Systems Manager may kill, thaws after a limit and as
# soon as this script is gone.
document=snapshot-stripe
# shellcheck source=../shared/steps.sh
. "${0%/*}/../shared/steps.sh"
# shellcheck source=../shared/record.sh
. "${0%/*}/../shared/record.sh"
# shellcheck source=../shared/mounts.sh
. "${0%/*}/../shared/mounts.sh"
# shellcheck source=volumes.sh
. "${0%/*}/volumes.sh"
# shellcheck source=freeze.sh
. "${0%/*}/freeze.sh"
# shellcheck source=ec2.sh
. "${0%/*}/ec2.sh"

# Systems Manager gives no arguments; the watchdog is this script with some.
if [ "${1-}" = watchdog ]; then
  shift
  watch_over "$@"
  exit 0
fi

place='(/[A-Za-z0-9_][A-Za-z0-9_.-]*){1,6}'
parameter name "$SSM_name" '([a-z][a-z0-9]{0,14})?'
parameter mountPoints "$SSM_mountPoints" "($place(,$place){0,7})?"
parameter freezeSeconds "$SSM_freezeSeconds" '[1-9]|[1-9][0-9]|1[01][0-9]|120'
parameter description "$SSM_description" '[A-Za-z0-9=/:,._%-]{0,100}'
parameter tag "$SSM_tag" '([A-Za-z0-9][A-Za-z0-9._/-]{0,63}=[A-Za-z0-9._/-]{0,64})?'
name=$SSM_name

cd / || exit 1
alone
begin 'find the file systems'
find_places
find_members
refuse_system
begin 'ask EC2 whether it would'
make_watched
prepare_request
try_request
begin 'freeze'
start_watchdog
freeze_all
begin 'snapshot'
request_snapshots
begin 'thaw'
thaw_or_fail
begin 'look at the snapshots'
evaluate_answer
report
