# The disks of a stripe and what stands on them. What is ours says so itself: the array has our mark for its UUID, the group
# has it for a tag, file systems have the UUIDs of the record. Needs steps.sh, record.sh, mounts.sh
# and what recall gives.
# shellcheck shell=sh

# What a device says is on it: nothing, ours, "orphan" (a physical volume of no group), "group NAME", or other types.
content_of() {
  signatures=$(wipefs --noheadings --output TYPE,UUID "$1" 2>&1) || fail "could not read $1: $signatures"
  if [ -z "$signatures" ]; then
    printf 'nothing\n'
    return
  fi
  for uuid in $record_mark $(each_of "$record_uuids"); do
    case $signatures in *"$uuid"*)
      printf 'ours\n'
      return
      ;;
    esac
  done
  case $signatures in *LVM2_member*) ! group_on "$1" || return 0 ;; esac
  printf '%s\n' "$signatures" | awk '{ print $1 }' | sort -u | paste -s -d ' ' -
}

group_on() {
  command -v pvs > /dev/null || return 1
  physical=$(pvs --noheadings --separator = --options vg_name,vg_tags "$1" 2> /dev/null | tr -d ' ')
  case $physical in
    *=*"stripewise-${record_mark:-none}"*) printf 'ours\n' ;;
    =*) printf 'orphan\n' ;;
    ?*) printf 'group %s\n' "${physical%%=*}" ;;
    *) return 1 ;;
  esac
}

# What uses disks or parts of them; nothing where nothing does.
#   use_of DEVICE...
use_of() {
  numbers=
  for device; do
    for place in "/sys/block/${device#/dev/}" "/sys/block/${device#/dev/}/${device#/dev/}"*; do
      [ -e "$place/dev" ] || continue
      for holder in "$place"/holders/*; do
        [ ! -e "$holder" ] || printf '%s is part of %s; ' "${place##*/}" "$(name_of "${holder##*/}")"
      done
      read -r number < "$place/dev"
      numbers="$numbers $number=${place##*/}"
    done
  done
  awk -v numbers="$numbers" '
    BEGIN { split(numbers, each, " "); for (i in each) { split(each[i], pair, "="); mounted[pair[1]] = pair[2]; swap["/dev/" pair[2]] = pair[2] } }
    FILENAME == "/proc/swaps" && $1 in swap { printf "%s is swap; ", swap[$1] }
    FILENAME != "/proc/swaps" && $3 in mounted { printf "%s is mounted at %s; ", mounted[$3], $5 }
  ' /proc/swaps /proc/self/mountinfo
}

name_of() { cat "/sys/block/$1/dm/name" 2> /dev/null || printf '%s\n' "$1"; }

bytes_of() {
  read -r sectors < "/sys/class/block/$1/size" || fail "$1 does not tell its size"
  printf '%s\n' $((sectors * 512))
}

# Signatures first: without them nothing takes the disk for its own while the rest is written.
clear_members() {
  run wipefs --all "$@"
  for device; do
    last=$(($(bytes_of "${device#/dev/}") / 1048576 - 4))
    run dd if=/dev/zero of="$device" bs=1M count=4 conv=fsync
    run dd if=/dev/zero of="$device" bs=1M count=4 seek="$last" conv=fsync
  done
}

# All that stands on the devices given, from the top. Nothing of it may be mounted.
#   take_down DEVICE...
take_down() {
  run udevadm settle --timeout=30
  standing=$(printf '%s\n' "$@")
  drop_group
  for device; do
    for holder in "/sys/block/${device#/dev/}/holders"/md*; do
      [ ! -e "$holder" ] || drop_array "${holder##*/}" "$device"
    done
  done
  array_left=$(empty_array)
  [ -z "$array_left" ] || stop_array "/dev/$array_left"
}

drop_group() {
  command -v vgremove > /dev/null || return 0
  ours="vg_tags=stripewise-$record_mark"
  names=$(for one in $(each_of "$record_fileSystems"); do fs_name "$one"; done)
  for volume in $(lvs --noheadings --options lv_name --select "$ours" 2> /dev/null); do
    is_one_of "$volume" "$names" || fail "the group has a volume $volume, which build-stripe did not make: move it or remove it first"
  done
  for physical in $(pvs --noheadings --options pv_name --select "$ours" 2> /dev/null); do
    case $physical in
      '[unknown]') ;;
      /dev/md*) refuse_strangers "${physical#/dev/}" ;;
      *) is_one_of "$physical" "$standing" || fail "the group is on $physical too, which build-stripe did not put there: take it out first (pvmove, vgreduce)" ;;
    esac
  done
  run vgremove --yes --force --select "$ours"
  # Of a group none of whose disks is there any more, LVM knows nothing; the kernel does.
  [ -n "$record_group" ] || return 0
  for mapped in $(dmsetup info --columns --noheadings --separator = --options name,uuid | sed -n "s/=LVM-$record_group.*//p"); do
    run dmsetup remove --retry "$mapped"
  done
}

refuse_strangers() {
  for slave in "/sys/block/$1/slaves"/*; do
    [ ! -e "$slave" ] || is_one_of "/dev/${slave##*/}" "$standing" ||
      fail "the array $1 has /dev/${slave##*/} too, which build-stripe did not put there: take it out first (mdadm --fail, --remove)"
  done
}

# Its number may be another after a start, and what was begun and not finished has any name.
drop_array() {
  content=$(content_of "$2") || exit 1
  [ "$content" = ours ] || fail "$2 is part of $1, which build-stripe did not make"
  refuse_strangers "$1"
  stop_array "/dev/$1"
}

# udev may be looking at it; and one that was stopped goes a moment later.
stop_array() {
  for _ in 1 2 3 4; do
    [ -e "/sys/block/${1#/dev/}/md" ] || return 0
    ! mdadm --stop "$1" > /dev/null 2>&1 || return 0
    run udevadm settle --timeout=10
    sleep 0.5
  done
  run mdadm --stop "$1"
}
