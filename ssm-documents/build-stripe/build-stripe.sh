#!/bin/sh
# Joins volumes by LVM or md, makes file systems on them that are aligned to the stripe, and mounts them, now and after a
# start. Run again it goes on where it was ended, or says that there is nothing to do. Until the file systems are made there
# is nothing to lose: what is half made is taken down and made anew. teardown-stripe takes it all away again.
document=build-stripe
# shellcheck source=../shared/steps.sh
. "${0%/*}/../shared/steps.sh"
# shellcheck source=../shared/record.sh
. "${0%/*}/../shared/record.sh"
# shellcheck source=../shared/members.sh
. "${0%/*}/../shared/members.sh"
# shellcheck source=../shared/mounts.sh
. "${0%/*}/../shared/mounts.sh"
# shellcheck source=plan.sh
. "${0%/*}/plan.sh"
# shellcheck source=make.sh
. "${0%/*}/make.sh"
# shellcheck source=attach.sh
. "${0%/*}/attach.sh"

read_parameters
check_together
alone
changed=no
begin 'find the members'
devices=$(devices_of_members) || exit 1
if recall; then compare_with_record; fi
look_for_tools
if [ "$record_state" = made ]; then bring_up; else make_stripe; fi
begin 'write /etc/fstab'
write_fstab
begin 'mount'
mount_all
if is_array; then look_at_array; fi
[ "$changed" = yes ] || say 'nothing to do: all is there'
report
