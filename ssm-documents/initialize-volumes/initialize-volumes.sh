#!/bin/sh
# Reads every block of volumes, all of them at the same time: a block that comes from a snapshot is slow the first time it is
# asked for. It only reads. How far it is stands below /var/lib/stripewise, so that it goes on there after it was ended, and
# reads nothing twice.
document=initialize-volumes
# shellcheck source=../shared/steps.sh
. "${0%/*}/../shared/steps.sh"
# shellcheck source=../shared/load.sh
. "${0%/*}/../shared/load.sh"
# shellcheck source=../shared/fio.sh
. "${0%/*}/../shared/fio.sh"

parameter volumeIds "$SSM_volumeIds" 'vol-[0-9a-f]{8,17}(,vol-[0-9a-f]{8,17}){0,63}'
parameter timeLimitSeconds "$SSM_timeLimitSeconds" '[1-9][0-9]{1,4}'

# A file of each volume: its size, and how far it is read, in MiB.
notes=$state/initialize
ids=$(each_of "$SSM_volumeIds")
changed=false

tidy() { :; }

size_of() { awk '{ print $1 }' "$notes/$1"; }
read_of() { awk '{ print $2 }' "$notes/$1"; }
#   note ID SIZE READ
note() { printf '%s %s\n' "$2" "$3" | put_file "$notes/$1" || exit 1; }

look_at() {
  device=$(device_of "$1") || exit 1
  bytes=$(blockdev --getsize64 "$device" 2> /dev/null) || fail "the size of $device cannot be read"
  size=$((bytes / 1048576))
  if [ ! -f "$notes/$1" ]; then
    note "$1" "$size" 0
  elif [ "$(size_of "$1")" -gt "$size" ]; then
    say "$1 had $(size_of "$1") MiB and has $size: it is another one, and read from its beginning"
    note "$1" "$size" 0
  elif [ "$(size_of "$1")" -lt "$size" ]; then
    say "$1 has grown from $(size_of "$1") to $size MiB: what came is read too"
    note "$1" "$size" "$(read_of "$1")"
  elif [ "$(read_of "$1")" -gt 0 ]; then
    say "$1: $(read_of "$1") of $size MiB were read before"
  fi
  printf '%s 0 0\n' "$1" > "$scratch/read-$1"
}

# What of a volume is read before it is noted: the rest of a 32nd, of 64 MiB at the least and 16 GiB at the most.
part_of() {
  part=$(($(size_of "$1") / 32))
  [ "$part" -ge 64 ] || part=64
  [ "$part" -le 16384 ] || part=16384
  left=$(($(size_of "$1") - $(read_of "$1")))
  [ "$part" -le "$left" ] || part=$left
  printf '%s' "$part"
}

# A part of each volume that is not at its end. True where there was one.
read_on() {
  set --
  for id in $ids; do
    part=$(part_of "$id")
    [ "$part" -gt 0 ] || continue
    device=$(device_of "$id") || exit 1
    set -- "$@" --name="$id" --filename="$device" --offset="$(read_of "$id")m" --size="${part}m"
  done
  [ "$#" -gt 0 ] || return 1
  in_time fio --thread --readonly --exitall_on_error=1 --eta=never --output-format=terse --terse-version=3 --rw=read --bs=1m --iodepth=32 \
    --ioengine=libaio --direct=1 --invalidate=0 "$@"
  # Of each job its name, KiB and milliseconds.
  grep '^3;' "$said" | awk -F ';' '{ print $3, $6, $9 }' > "$scratch/parts"
  while read -r id kib ms <&3; do
    # Of a disk that is gone fio reads nothing, and finds nothing wrong with it.
    [ "$kib" -eq $(($(part_of "$id") * 1024)) ] || fail "$id ended in the middle: $kib KiB came after $(read_of "$id") MiB"
    note "$id" "$(size_of "$id")" $(($(read_of "$id") + kib / 1024))
    awk -v kib="$kib" -v ms="$ms" '{ print $1, $2 + kib, $3 + ms }' "$scratch/read-$id" > "$scratch/sum"
    mv "$scratch/sum" "$scratch/read-$id"
  done 3< "$scratch/parts"
  changed=true
}

# A line for each tenth of all that there is.
tell() {
  percent=$(for id in $ids; do cat "$notes/$id"; done | awk '{ size += $1; done += $2 } END { printf "%d", 100 * done / size }')
  [ $((percent / 10)) -gt $((told / 10)) ] || return 0
  told=$percent
  say "$percent % of all, $(awk -F ';' '/^3;/ { sum += $7 } END { printf "%.1f", sum / 1024 }' "$said") MiB/s now"
}

each_as_json() {
  comma=
  for id in $ids; do
    awk -v comma="$comma" -v size="$(size_of "$id")" '{
      rate = $3 > 0 ? sprintf("%.1f", $2 / 1024 / ($3 / 1000)) : "null"
      printf "%s{\"volumeId\":\"%s\",\"sizeMiB\":%s,\"readMiB\":%d,\"mibps\":%s}", comma, $1, size, $2 / 1024, rate
    }' "$scratch/read-$id"
    comma=,
  done
}

[ "$(printf '%s\n' "$ids" | sort | uniq -d | wc -l)" -eq 0 ] || fail "a volume is there twice in volumeIds=$SSM_volumeIds"
need_fio
be_alone
begin 'look at the volumes'
run mkdir -p "$notes"
for id in $ids; do look_at "$id"; done
begin 'read'
told=0
while read_on; do tell; done
[ "$changed" = true ] || say 'nothing to do: all was read before'
printf '{"document":"%s","changed":%s,"volumes":[%s]}\n' "$document" "$changed" "$(each_as_json)"
