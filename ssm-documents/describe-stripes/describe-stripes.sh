#!/bin/sh
# Prints one JSON document that says how the block devices of this host are joined: what lsblk lists, the tables of
# device-mapper (LVM is made of them), the arrays of md, and what EBS volumes counted themselves since they were attached.
# It only asks: nothing is written, locked or loaded, no device is opened but to read these counters, and names are printed
# but never run.
#
# lvs and mdadm are not asked, the kernel knows the same: lvs reads every physical volume, so it hangs with a hung one,
# and writes its hints; mdadm may write its map anew and then sends an event to every array.
#
# Run Command gives no argument. A directory as the first one stands in the place of /, for tests.
set -u
LC_ALL=C
export LC_ALL

root=${1:-}
most_seconds=10
# What GetCommandInvocation gives of a command's output, and the end of the last line.
most_characters=23999

# shellcheck source=statistics.sh
. "${0%/*}/statistics.sh"

# A tool that waits for a device is ended; the time limit of the document is for one that cannot be.
limited() {
  if command -v timeout > /dev/null; then
    timeout -k 2 "$most_seconds" "$@"
  else
    "$@"
  fi
}

# Standard input as a JSON string; indentation says nothing.
as_text() {
  printf '"'
  sed -e 's/^[[:space:]]*//' -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/$/\\n/' | tr -d '\000-\037'
  printf '"'
}

# What a tool prints, as {"output": "..."}, or {"error": "..."}: one that fails is not the end of it.
asked() {
  tool=$1
  shift
  if ! command -v "$tool" > /dev/null; then
    printf '{"error":"%s is not there"}' "$tool"
    return
  fi
  output=$("$@" 2> /dev/null)
  status=$?
  case $status in
    0) printf '{"output":%s}' "$(printf '%s' "$output" | as_text)" ;;
    124 | 137) printf '{"error":"%s took longer than %s s"}' "$tool" "$most_seconds" ;;
    *)
      message=$("$@" 2>&1 > /dev/null | head -n 1 | cut -c 1-300)
      printf '{"error":%s}' "$(printf '%s failed with status %s: %s' "$tool" "$status" "$message" | as_text)"
      ;;
  esac
}

# Without memory, loop devices and drives for discs. MOUNTPOINTS would be better, but older ones do not know it.
list_devices() {
  limited lsblk --json --exclude 1,7,11 --output NAME,TYPE,SERIAL,FSTYPE,MOUNTPOINT
}

# Not of crypt and integrity: their tables hold keys.
list_tables() {
  for target in linear striped raid mirror; do
    limited dmsetup table --target "$target" || return
  done
}

# Without a device of it, dmsetup would load device-mapper.
device_mapper() {
  for device in "$root"/sys/block/dm-*; do
    if [ -e "$device" ]; then
      asked dmsetup list_tables
      return
    fi
  done
  printf 'null'
}

# "md0 chunk_size 65536", "md0 slot 0 nvme1n1", "md127 link data": a spare has the slot none.
md_arrays() {
  for md in "$root"/sys/block/md*/md; do
    [ -d "$md" ] || continue
    array=${md%/md}
    array=${array##*/}
    value=
    read -r value 2> /dev/null < "$md/chunk_size"
    printf '%s chunk_size %s\n' "$array" "$value"
    for slot in "$md"/dev-*/slot; do
      member=${slot%/slot}
      value=
      read -r value 2> /dev/null < "$slot"
      printf '%s slot %s %s\n' "$array" "$value" "${member##*/dev-}"
    done
  done
  # The number of an array can be another after a start, its name stays.
  for link in "$root"/dev/md/*; do
    [ -L "$link" ] || continue
    target=$(readlink "$link")
    printf '%s link %s\n' "${target##*/}" "${link##*/}"
  done
}

document=$(
  printf '{"version":1,"lsblk":%s,"dmsetup":%s,"md":%s' \
    "$(asked lsblk list_devices)" "$(device_mapper)" "$(md_arrays | as_text)"
)
# Cut in the middle, it could not be read.
if [ "${#document}" -ge "$most_characters" ]; then
  document=$(printf '{"version":1,"tooLarge":{"characters":%s,"most":%s}' "${#document}" "$most_characters")
else
  # They get what is left.
  counted=$(statistics "$((most_characters - ${#document} - 30))")
  [ "$((${#document} + ${#counted} + 30))" -lt "$most_characters" ] || counted='{"error":"no room is left in the answer"}'
  [ "$((${#document} + ${#counted} + 30))" -gt "$most_characters" ] || document="$document,\"ebsStatistics\":$counted"
fi
printf '%s}\n' "$document"
