#!/bin/sh
# Runs a profile of core/benchmark: a fio for each of its steps, on files of its own in mounted directories. The result, with
# the counters of every disk before and after each step, is one JSON document; the files are removed. A run that was killed
# starts over when it is run again, and one that is finished is only uploaded again.
document=run-fio
# shellcheck source=../shared/steps.sh
. "${0%/*}/../shared/steps.sh"
# shellcheck source=../shared/load.sh
. "${0%/*}/../shared/load.sh"
# shellcheck source=../shared/fio.sh
. "${0%/*}/../shared/fio.sh"
# shellcheck source=../shared/results.sh
. "${0%/*}/../shared/results.sh"
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

# What was never written is read without the disk, and writing it for the first time is slower than any time after.
#   lay FILE MIB
lay() {
  in_time fio --thread --name=lay --filename="$1" --size="$2m" --rw=write --bs=1m --direct=1 --ioengine=libaio --iodepth=16 \
    --fallocate=none --end_fsync=1
  say "$1: $2 MiB"
}
lay_files() {
  begin 'write the files'
  lay "$DATA" "$file_mib"
  [ "$places" = data ] && return
  lay "$WRITE_IMAGE_JOURNAL" "$part_mib"
  lay "$JOURNAL" "$part_mib"
}

# IOPS, MiB/s and the 95th percentile in ms, of what fio printed. Several jobs that do not run all the time have no rate in
# common but what they did in the whole step. Percentiles cannot be put together: it is the worst of them.
#   in_short SECONDS < fio.json
in_short() {
  awk -v seconds="$1" '
    /"jobname" :/ { jobs++ }
    /"(read|write|trim|sync)" : / { counts = !/"sync"/ }
    /"[a-z]*lat_ns" : / { completion = /"clat_ns"/ }
    counts && /"iops" :/ { iops += $3 }
    counts && /"bw_bytes" :/ { rate += $3 }
    counts && /"total_ios" :/ { operations += $3 }
    counts && /"io_bytes" :/ { bytes += $3 }
    completion && /"95.000000" :/ && $3 + 0 > worst { worst = $3 + 0 }
    END {
      if (jobs > 1) { iops = operations / seconds; rate = bytes / seconds }
      printf "%.1f %.2f %.3f", iops, rate / 1048576, worst / 1000000
    }'
}

#   measure NUMBER NAME SECONDS USERS
measure() {
  begin "$2"
  export SHARE_MIB=$((file_mib / $4))
  profile_job "$2" > "$scratch/job"
  rm -f "$scratch/fio.json"
  look_at_members
  started_at=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  in_time fio --thread --eta=never --output-format=json+ --output="$scratch/fio.json" "$scratch/job"
  # What fio has to say besides may stand in the same file.
  sed -n '/^{/,/^}/p' "$scratch/fio.json" > "$scratch/fio"
  [ "$(tail -n 1 "$scratch/fio")" = '}' ] || fail "fio wrote no whole result: $(why_of fio)"
  {
    printf '{"name":"%s","startedAt":"%s","users":%s,"fio":' "$2" "$started_at" "$4"
    cat "$scratch/fio"
    printf ',"members":[%s]}' "$(members)"
  } > "$folder/step-$(printf %03d "$1")"
  in_short "$3" < "$scratch/fio" > "$scratch/short"
  read -r iops mibps p95 < "$scratch/short"
  say "$1 of $step_count: $iops IOPS, $mibps MiB/s, 95 % in $p95 ms"
  short="${short:+$short,}{\"name\":\"$2\",\"iops\":$iops,\"mibps\":$mibps,\"p95Ms\":$p95}"
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
    measure "$number" "$name" "$seconds" "$users"
  done 3< "$scratch/steps"
  this="\"profile\":\"$SSM_profile\",\"variant\":\"$SSM_variant\""
  close_run "$this,\"instanceId\":\"${AWS_SSM_INSTANCE_ID:-}\",\"directory\":\"$SSM_directory\",\"fileSizeMiB\":$file_mib" "$this,\"steps\":[$short]"
  begin 'remove the files'
  remove_files
fi
upload
report
