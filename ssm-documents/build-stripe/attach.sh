# From file systems to mount points; also after a start of the host, or somebody's hand.
# shellcheck shell=sh

compare_with_record() {
  [ "$record_state" != leaving ] || fail "teardown-stripe of $name was begun and is not finished: run that again first"
  begun_with members "$record_members" "$SSM_members"
  begun_with layout "$record_layout" "$layout"
  begun_with chunkKiB "$record_chunkKiB" "$chunk"
  begun_with fileSystemType "$record_fileSystemType" "$SSM_fileSystemType"
  begun_with fileSystems "$record_fileSystems" "$SSM_fileSystems"
}

begun_with() {
  [ "$2" = "$3" ] || fail "$name was begun with $1=$2: give that, or take it away with teardown-stripe"
}

# The array under whatever number it has.
number_of_array() {
  first=${devices%%
*}
  for holder in "/sys/block/${first#/dev/}/holders"/md*; do
    [ ! -e "$holder" ] || printf '%s\n' "${holder##*/}"
  done
}

bring_up() {
  begin 'bring the stripe up'
  for device in $devices; do
    content=$(content_of "$device") || exit 1
    [ "$content" = ours ] || fail "$device has no longer what build-stripe put on it, but $content: take this stripe away with teardown-stripe"
  done
  if is_array; then assemble; fi
  if has_group; then
    run vgchange --activate y "$group"
    run udevadm settle --timeout=30
  fi
  # shellcheck disable=SC2046 # a word each
  set -- $(each_of "$record_uuids")
  for one in $file_systems; do
    there=$(blkid --probe --match-tag UUID --output value "$(device_of_fs "$one")")
    [ "$there" = "$1" ] || fail "$(device_of_fs "$one") has no longer the file system that build-stripe made"
    shift
  done
}

assemble() {
  number=$(number_of_array)
  case $(cat "/sys/block/$number/md/array_state" 2> /dev/null) in
    '' | clear | inactive) ;;
    *)
      array=/dev/$number
      return
      ;;
  esac
  [ -z "$number" ] || stop_array "/dev/$number"
  # shellcheck disable=SC2086 # a word each
  run mdadm --assemble --run "$array" $devices
  run udevadm settle --timeout=30
  changed=yes
}

# By its own identifier, which no start changes; a host starts without it too.
write_fstab() {
  lines=
  # shellcheck disable=SC2046 # a word each
  set -- $(each_of "$record_uuids")
  for one in $file_systems; do
    lines="$lines${lines:+
}UUID=$1 $(fs_mount "$one") $SSM_fileSystemType noatime,nofail,x-systemd.device-timeout=30s,x-stripewise=$name 0 2"
    shift
  done
  [ "$lines" != "$(own_lines)" ] || return 0
  changed=yes
  rest=$(other_lines)
  write_file /etc/fstab "$rest${rest:+
}$lines" 644
  [ ! -d /run/systemd/system ] || run systemctl daemon-reload
}

kernel_name_of() {
  target=$(readlink -f "$1")
  printf '%s\n' "${target##*/}"
}
number_of() { cat "/sys/class/block/$(kernel_name_of "$1")/dev"; }

# Before there is anything to take back.
refuse_mount_points() {
  places=$(for one in $file_systems; do fs_mount "$one"; done)
  taken=$(other_lines | awk '$1 !~ /^#/ { print $2 }')
  mounted=$(awk '{ print $5 }' /proc/self/mountinfo)
  for at in $places; do
    ! is_one_of "$at" "$taken" || fail "/etc/fstab mounts something else at $at: take that line out, or mount elsewhere"
    ! is_one_of "$at" "$mounted" || fail "something else is mounted at $at: unmount it, or mount elsewhere"
    refuse_full "$at"
  done
}

refuse_full() {
  [ -d "$1" ] || [ ! -e "$1" ] || fail "$1 is there and is no directory: mount elsewhere"
  [ -z "$(ls -A "$1" 2> /dev/null)" ] || fail "$1 is not empty: what is in it would be hidden; move it away, or mount elsewhere"
}

mount_all() {
  remember_directories
  for one in $file_systems; do
    at=$(fs_mount "$one")
    wanted=$(number_of "$(device_of_fs "$one")") || fail "$(device_of_fs "$one") is not there"
    mounted=$(number_at "$at")
    [ "$mounted" != "$wanted" ] || continue
    [ -z "$mounted" ] || fail "something else is mounted at $at: unmount it, or take this stripe away with teardown-stripe"
    [ -d "$at" ] || make_directory "$at"
    refuse_full "$at"
    run mount "$at"
    changed=yes
    say "mounted $at"
  done
}

# Those that will be made, with what is above them, for teardown-stripe.
remember_directories() {
  missing=
  for one in $file_systems; do
    above=$(fs_mount "$one")
    while [ ! -d "$above" ]; do
      # shellcheck disable=SC2086 # a word each
      is_one_of "$above" "$(printf '%s\n' $record_directories $missing)" || missing="$above $missing"
      above=${above%/*}
    done
  done
  [ -z "$missing" ] || remember directories "$record_directories${record_directories:+ }${missing% }"
}

# On the disk before it is used: a start of the host mounts nothing where there is no directory.
make_directory() {
  [ -d "${1%/*}/" ] || make_directory "${1%/*}"
  run mkdir -m 755 "$1"
  run sync "${1%/*}/"
}

# It goes on without one that was pulled or failed; nobody should take it for whole.
look_at_array() {
  begin 'look at the array'
  number=$(kernel_name_of "$array")
  for device in $devices; do
    case $(cat "/sys/block/$number/md/dev-${device#/dev/}/state" 2> /dev/null) in
      '' | *faulty*) fail "$number is mounted, and has lost $device: see /proc/mdstat, and add it again (mdadm --add) or take $name away with teardown-stripe" ;;
    esac
  done
}

report() {
  list=
  # shellcheck disable=SC2086 # a word each
  set -- $devices
  for id in $members; do
    list="$list,{\"volumeId\":\"$id\",\"device\":\"$1\"}"
    shift
  done
  # shellcheck disable=SC2046
  set -- $(each_of "$record_uuids")
  made=
  for one in $file_systems; do
    bytes=$(bytes_of "$(kernel_name_of "$(device_of_fs "$one")")") || exit 1
    made="$made,{\"name\":\"$(fs_name "$one")\",\"mountPoint\":\"$(fs_mount "$one")\",\"type\":\"$SSM_fileSystemType\",\"uuid\":\"$1\",\"bytes\":$bytes}"
    shift
  done
  if [ "$changed" = yes ]; then changed=true; else changed=false; fi
  printf '{"name":"%s","layout":"%s","chunkKiB":%s,"dataMembers":%s,"changed":%s,"members":[%s],"fileSystems":[%s]}\n' \
    "$name" "$layout" "$chunk" "$(data_members)" "$changed" "${list#,}" "${made#,}"
}
