#!/bin/sh
# Runs one load with fio on a file of its own in a mounted directory. The result is one JSON document, as that of run-fio with
# a single step. The file may stay for the next load: a search measures one after the other, and writing takes longest.
document=measure-load
# shellcheck source=../shared/measuring.sh
. "${0%/*}/../shared/measuring.sh"

parameter access "$SSM_access" 'read|write|randread|randwrite|rw|randrw'
parameter blockKiB "$SSM_blockKiB" '[1-9][0-9]{0,3}'
parameter readPercent "$SSM_readPercent" '100|[1-9]?[0-9]'
parameter users "$SSM_users" '[1-9][0-9]?'
parameter ioDepth "$SSM_ioDepth" '[1-9][0-9]{0,3}'
parameter iops "$SSM_iops" '([1-9][0-9]{0,6})?'
parameter seconds "$SSM_seconds" '[1-9][0-9]{0,4}'
parameter fileSizeMiB "$SSM_fileSizeMiB" '[1-9][0-9]{1,6}'
parameter keepFile "$SSM_keepFile" 'yes|no'
check_result_parameters

# It counts with parameters: they are right by now.
# shellcheck source=job.sh
. "${0%/*}/job.sh"

step_count=1
name=$SSM_access-${SSM_blockKiB}k-$((SSM_users * SSM_ioDepth))
parameters="directory=$SSM_directory access=$SSM_access blockKiB=$SSM_blockKiB readPercent=$SSM_readPercent users=$SSM_users ioDepth=$SSM_ioDepth iops=$SSM_iops seconds=$SSM_seconds fileSizeMiB=$file_mib"
# Says that the file was written whole.
whole=$SSM_directory/$own_directory/whole

# A run that was killed while it removed the file may have left one without the other.
is_there() {
  [ -f "$whole" ] && [ "$(cat "$whole")" = "$file_mib" ] &&
    [ "$(stat -c %s "$data" 2> /dev/null)" = $((file_mib * 1024 * 1024)) ] &&
    [ "$(cat "$using" 2> /dev/null)" = "$SSM_directory" ]
}

# The file of an earlier load, where it is the same one; else it is written.
have_file() {
  begin 'look for the file'
  if is_there; then
    say "$data: $file_mib MiB, of an earlier load"
    disks=$(disks_below "$SSM_directory")
    [ -n "$disks" ] || fail "no disk was found below $SSM_directory"
    return
  fi
  remove_left
  use "$SSM_directory=$file_mib"
  begin 'write the file'
  lay "$data" "$file_mib"
  printf '%s\n' "$file_mib" | put_file "$whole" || exit 1
}

# What was not measured to its end leaves nothing.
is_done=
tidy() {
  [ "$is_done$SSM_keepFile" = yesyes ] || remove_files
}

check_together
need_fio
need_upload
be_alone
if ! is_finished "$parameters"; then
  have_file
  open_run "$parameters"
  short=
  load_job > "$scratch/job"
  measure 1 "$name" "$SSM_seconds" "$SSM_users"
  close_run "\"profile\":\"load\",\"variant\":\"full\",\"instanceId\":\"${AWS_SSM_INSTANCE_ID:-}\",\"directory\":\"$SSM_directory\",\"fileSizeMiB\":$file_mib" "\"steps\":[$short]"
fi
is_done=yes
upload
report
