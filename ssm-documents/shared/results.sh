# What documents that measure share: files in directories of file systems, counters of the disks below them, and one JSON
# document of what was measured.
# shellcheck shell=sh

results=$state/results
# Directories that have, or are to have, files of a run.
using=$state/using
own_directory=.stripewise-benchmark

mount_point='(/[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}){1,8}'
check_result_parameters() {
  parameter directory "$SSM_directory" "$mount_point"
  parameter timeLimitSeconds "$SSM_timeLimitSeconds" '[1-9][0-9]{1,4}'
  parameter s3Uri "$SSM_s3Uri" '(s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9][A-Za-z0-9=._-]{0,99}){0,8})?'
  parameter runId "$SSM_runId" '[A-Za-z0-9][A-Za-z0-9_-]{0,63}'
}

# The disks, one a line: name, and the volume that it is; "-" where it is none of EBS.
#   disks_below MOUNT-POINT
disks_below() {
  on=$(findmnt --noheadings --output SOURCE --mountpoint "$1" | tail -n 1)
  # Of a bind mount and of a subvolume the directory stands behind it.
  lsblk --inverse --noheadings --raw --output KNAME,TYPE,SERIAL "${on%%\[*}" |
    awk '$2 == "disk" { print $1, ($3 ~ /^vol[0-9a-f]+$/ ? "vol-" substr($3, 4) : "-") }' | sort -u
}

# Source of the columns: Linux, Documentation/block/stat.rst.
disk_counters() {
  awk '{ printf "{\"reads\":%s,\"readSectors\":%s,\"readMs\":%s,\"writes\":%s,\"writeSectors\":%s,\"writeMs\":%s,\"inFlight\":%s,\"busyMs\":%s,\"queueMs\":%s}", $1, $3, $4, $5, $7, $8, $9, $10, $11 }' \
    "/sys/block/$1/stat" 2> /dev/null || printf null
}

# "ebs": what the volume itself counted since it was attached, or null and why.
# shellcheck source=../shared/ebs-log-page.sh
. "${0%/*}/../shared/ebs-log-page.sh"
ebs_counters() {
  page=$scratch/log-page
  if ! reader=$(page_reader); then
    because='neither nvme-cli nor python3 is there'
  elif ! read_page "$reader" "/dev/$1" > "$page" 2> "$page.said"; then
    because="the device gave none: $(awk '{ gsub(/[^A-Za-z0-9 .:,()]/, ""); said = substr($0, 1, 200) } END { print said }' "$page.said")"
  else
    counted=$(page_words < "$page" | decoded_log_page)
    because='its log page 0xD0 is not the one of EBS'
    if [ -n "$counted" ]; then
      printf '"ebs":%s' "$counted"
      return
    fi
  fi
  printf '"ebs":null,"ebsReason":"%s"' "$because"
}

counters_of() {
  read -r up _ < /proc/uptime
  printf '{"uptimeSeconds":%s,"disk":%s,%s}' "$up" "$(disk_counters "$1")" "$(ebs_counters "$1")"
}

# Lines of $disks; `members` after it prints them with their counters before and now, as JSON.
look_at_members() {
  printf '%s\n' "$disks" | while read -r disk volume; do
    printf '%s %s %s\n' "$disk" "$volume" "$(counters_of "$disk")"
  done > "$scratch/before"
}
members() {
  comma=
  while read -r disk volume before; do
    id=null
    [ "$volume" = - ] || id="\"$volume\""
    printf '%s{"volumeId":%s,"device":"%s","before":%s,"after":%s}' "$comma" "$id" "$disk" "$before" "$(counters_of "$disk")"
    comma=,
  done < "$scratch/before"
}

# Files of a run whose script was killed, or of this one at its end.
remove_files() {
  [ -f "$using" ] || return 0
  while read -r directory; do
    [ -d "$directory/$own_directory" ] || continue
    rm -rf "${directory:?}/$own_directory" 2> /dev/null || {
      say "the files in $directory/$own_directory could not be removed: the next run tries it again"
      return 0
    }
  done < "$using"
  rm -f "$using"
}
remove_left() {
  [ -f "$using" ] || return 0
  say "what an earlier run left in $(tr '\n' ' ' < "$using")is removed"
  remove_files
}
tidy() { remove_files; }

# Where files of so many MiB are to be made, each on a file system of its own: what is measured is that, and only that is
# filled. Directories are noted before there is anything in them.
#   use DIRECTORY=MIB...
use() {
  begin 'make room for the files'
  for one in "$@"; do
    directory=${one%=*}
    mib=${one##*=}
    findmnt --mountpoint "$directory" > /dev/null ||
      fail "$directory is no mount point: it must be that of a file system of its own, so that the root of the host is neither measured nor filled"
    if [ -e "$directory/$own_directory" ]; then
      say "$directory/$own_directory was left by an earlier run: it is removed"
      run rm -rf "$directory/$own_directory"
    fi
    free=$(($(df --portability --block-size=1M "$directory" | awk 'NR == 2 { print $4 }')))
    # A twentieth for what the file system notes about them.
    [ "$free" -ge $((mib + mib / 20)) ] || fail "$directory has $free MiB free, and the files need $mib MiB and a twentieth more"
  done
  for one in "$@"; do printf '%s\n' "${one%=*}"; done | put_file "$using" || exit 1
  for one in "$@"; do run mkdir "${one%=*}/$own_directory"; done
  disks=$(for one in "$@"; do disks_below "${one%=*}"; done | sort -u)
  [ -n "$disks" ] || fail "no disk was found below $*"
}

# True where the run is finished already. Its name stands for its parameters.
#   is_finished PARAMETERS
is_finished() {
  begin 'look for an earlier run'
  folder=$results/$SSM_runId
  [ -f "$folder/result.json" ] || return 1
  before=$(cat "$folder/parameters")
  [ "$before" = "$1" ] || fail "run $SSM_runId was another ($before): give another runId"
  say "nothing to measure: $folder/result.json is there"
}

# A run is one piece: what was measured before it was interrupted is not put together with what comes later.
#   open_run PARAMETERS
open_run() {
  if [ -d "$folder" ]; then
    say "an earlier run $SSM_runId was not finished: it starts over"
    run rm -rf "$folder"
  fi
  run mkdir -p "$folder"
  printf '%s\n' "$1" | put_file "$folder/parameters" || exit 1
}

# Puts the steps of the run, files of JSON in the order of their names, into one document.
#   close_run PROPERTIES SUMMARY   of the document, and of the line that says in short what came out, without braces
close_run() {
  begin 'write the result'
  {
    printf '{"version":1,"document":"%s","runId":"%s",%s,"steps":[' "$document" "$SSM_runId" "$1"
    comma=
    for one in "$folder"/step-*; do
      printf '%s' "$comma"
      cat "$one"
      comma=,
    done
    printf ']}\n'
  } > "$folder/whole"
  printf '%s\n' "$2" | put_file "$folder/summary" || exit 1
  put_file "$folder/result.json" < "$folder/whole"
  rm -f "$folder/whole" "$folder"/step-*
}

# What is in the file stays there, whatever comes of it.
upload() {
  [ -n "$SSM_s3Uri" ] || return 0
  begin 'upload the result'
  export AWS_DEFAULT_REGION="${AWS_SSM_REGION_NAME:-us-east-1}"
  start_within 300 aws s3 cp --only-show-errors "$folder/result.json" "$SSM_s3Uri/$SSM_runId.json"
  await_child ||
    fail "aws s3 cp to $SSM_s3Uri/$SSM_runId.json ended with status $?: $(why_of aws). The result is in $folder/result.json, and the same command once more only uploads it"
  say "$SSM_s3Uri/$SSM_runId.json"
}
need_upload() { [ -z "$SSM_s3Uri" ] || need aws awscli; }

# The last line: for machines.
report() {
  printf '{"document":"%s","runId":"%s","file":"%s","bytes":%s,"s3Uri":"%s",%s}\n' "$document" "$SSM_runId" \
    "$folder/result.json" "$(wc -c < "$folder/result.json")" "${SSM_s3Uri:+$SSM_s3Uri/$SSM_runId.json}" "$(cat "$folder/summary")"
}
