#!/bin/sh
# Runs a profile of core/benchmark: a fio for each of its steps, on files of its own in mounted directories. The result, with
# the counters of every disk before and after each step, is one JSON document; the files are removed. A run that was killed
# starts over when it is run again, and one that is finished is only uploaded again.
document=run-fio
# shellcheck source=../shared/measuring.sh
. "${0%/*}/../shared/measuring.sh"
# shellcheck source=profiles.sh
. "${0%/*}/profiles.sh"

parameter profile "$SSM_profile" '[a-z][a-z0-9-]{1,31}'
parameter variant "$SSM_variant" 'full|short'
parameter writeImageJournalDirectory "$SSM_writeImageJournalDirectory" "($mount_point)?"
parameter journalDirectory "$SSM_journalDirectory" "($mount_point)?"
parameter fileSizeMiB "$SSM_fileSizeMiB" '([1-9][0-9]{1,6})?'
check_result_parameters

places=$(profile_places)
[ -n "$places" ] || fail "there is no profile $SSM_profile"
file_mib=${SSM_fileSizeMiB:-$(profile_file_mib)}
part_mib=$((file_mib / part_of_file))
step_count=$(profile_steps | wc -l)
seconds=$(profile_steps | awk '{ sum += $2 } END { print sum }')
parameters="profile=$SSM_profile variant=$SSM_variant directory=$SSM_directory writeImageJournalDirectory=$SSM_writeImageJournalDirectory journalDirectory=$SSM_journalDirectory fileSizeMiB=$file_mib"

check_together() {
  [ "$file_mib" -ge 64 ] || fail "fileSizeMiB is $file_mib and must be 64 or more: each of 64 users has a part of its own"
  [ "$seconds" -lt "$SSM_timeLimitSeconds" ] ||
    fail "timeLimitSeconds is $SSM_timeLimitSeconds, and the steps of $SSM_profile alone take $seconds s"
  if [ "$places" = data ]; then
    [ -z "$SSM_writeImageJournalDirectory$SSM_journalDirectory" ] || fail "$SSM_profile has one file: directory alone is given"
    return
  fi
  if [ -z "$SSM_writeImageJournalDirectory" ] || [ -z "$SSM_journalDirectory" ]; then
    fail "$SSM_profile writes to three file systems: writeImageJournalDirectory and journalDirectory must be given too"
  fi
  [ "$(printf '%s\n' "$SSM_directory" "$SSM_writeImageJournalDirectory" "$SSM_journalDirectory" | sort -u | wc -l)" -eq 3 ] ||
    fail "the three directories of $SSM_profile must be three"
}

make_room() {
  set -- "$SSM_directory=$file_mib"
  [ "$places" = data ] || set -- "$@" "$SSM_writeImageJournalDirectory=$part_mib" "$SSM_journalDirectory=$part_mib"
  use "$@"
  export DATA="$SSM_directory/$own_directory/data"
  export WRITE_IMAGE_JOURNAL="$SSM_writeImageJournalDirectory/$own_directory/write-image-journal"
  export JOURNAL="$SSM_journalDirectory/$own_directory/journal"
  export FILE_MIB="$file_mib" PART_MIB="$part_mib"
}

lay_files() {
  begin 'write the files'
  lay "$DATA" "$file_mib"
  [ "$places" = data ] && return
  lay "$WRITE_IMAGE_JOURNAL" "$part_mib"
  lay "$JOURNAL" "$part_mib"
}

check_together
need_fio
need_upload
be_alone
remove_left
if ! is_finished "$parameters"; then
  make_room
  open_run "$parameters"
  lay_files
  short=
  number=0
  profile_steps > "$scratch/steps"
  while read -r name seconds users <&3; do
    number=$((number + 1))
    { fio_common && profile_job "$name"; } > "$scratch/job"
    measure "$number" "$name" "$seconds" "$users"
  done 3< "$scratch/steps"
  this="\"profile\":\"$SSM_profile\",\"variant\":\"$SSM_variant\""
  close_run "$this,\"instanceId\":\"${AWS_SSM_INSTANCE_ID:-}\",\"directory\":\"$SSM_directory\",\"fileSizeMiB\":$file_mib" "$this,\"steps\":[$short]"
  begin 'remove the files'
  remove_files
fi
upload
report
