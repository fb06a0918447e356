#!/bin/sh
# Joins volumes by LVM or md, makes file systems on them that are aligned to the stripe, and mounts them, now and after a
# start. Run again it goes on where it was ended, or says that there is nothing to do. What it made, and how far it is, stands
# below /var/lib/stripewise/stripes/NAME; teardown-stripe takes it all away again.
document=build-stripe
# shellcheck source=../shared/steps.sh
. "${0%/*}/../shared/steps.sh"
# shellcheck source=../shared/record.sh
. "${0%/*}/../shared/record.sh"

# NAME=MOUNT-POINT:PERCENT of the whole
file_system='[a-z][a-z0-9]{0,11}=(/[a-z0-9][a-z0-9_-]*){1,6}:[1-9][0-9]{0,2}'
parameter name "$SSM_name" '[a-z][a-z0-9]{0,14}'
parameter members "$SSM_members" 'vol-[0-9a-f]{8,17}(,vol-[0-9a-f]{8,17}){0,27}'
parameter layout "$SSM_layout" 'single|linear|stripe|raid0|raid5|raid10|raid10-far2'
parameter chunkKiB "$SSM_chunkKiB" '4|8|16|32|64|128|256|512|1024'
parameter fileSystemType "$SSM_fileSystemType" 'xfs|ext4'
parameter fileSystems "$SSM_fileSystems" "$file_system(,$file_system){0,3}"
parameter dataOnMembers "$SSM_dataOnMembers" 'refuse|destroy'

name=$SSM_name
layout=$SSM_layout
group=stripewise_$name
array=/dev/md/$group
members=$(each_of "$SSM_members")
count=$(printf '%s\n' "$members" | wc -l)
file_systems=$(each_of "$SSM_fileSystems")
file_system_count=$(printf '%s\n' "$file_systems" | wc -l)
parameters="members=$SSM_members layout=$layout chunkKiB=$SSM_chunkKiB fileSystemType=$SSM_fileSystemType fileSystems=$SSM_fileSystems"
changed=no

# What an entry of fileSystems says.
fs_name() { printf '%s' "${1%%=*}"; }
fs_mount() { rest=${1#*=} && printf '%s' "${rest%%:*}"; }
fs_percent() { printf '%s' "${1##*:}"; }

check_together() {
  [ "$(printf '%s\n' "$members" | sort -u | wc -l)" -eq "$count" ] || fail "a volume is there twice in members=$SSM_members"
  case $layout in
    single) [ "$count" -eq 1 ] || fail "layout single has one member, and there are $count" ;;
    linear | stripe | raid0) [ "$count" -ge 2 ] || fail "layout $layout has two members or more, and there is one" ;;
    raid5) [ "$count" -ge 3 ] || fail "layout raid5 has three members or more, and there are $count" ;;
    raid10*) [ "$count" -ge 4 ] || fail "layout $layout has four members or more, and there are $count" ;;
  esac
  total=0
  for one in $file_systems; do
    total=$((total + $(fs_percent "$one")))
    case $(fs_mount "$one") in
      /bin* | /boot* | /dev* | /etc* | /lib* | /proc* | /root* | /run* | /sbin* | /sys* | /tmp* | /usr*)
        fail "$(fs_mount "$one") is the system's own: mount elsewhere, below /srv or /data say"
        ;;
    esac
  done
  [ "$total" -le 100 ] || fail "the file systems take $total percent together"
  for of in fs_name fs_mount; do
    [ "$(for one in $file_systems; do "$of" "$one" && echo; done | sort -u | wc -l)" -eq "$file_system_count" ] ||
      fail "two of the file systems have the same name or mount point: $SSM_fileSystems"
  done
}

# A volume group is there where it joins the members, or where one device has several file systems.
has_group() {
  case $layout in
    linear | stripe) return 0 ;;
    *) [ "$file_system_count" -gt 1 ] ;;
  esac
}
is_array() {
  case $layout in
    raid*) return 0 ;;
    *) return 1 ;;
  esac
}

devices_of_members() {
  for id in $members; do device_of "$id" || exit 1; done
}

# Something mounted, swapped to, joined or partitioned is in use: that is no question of data.
refuse_used() {
  for device in $devices; do
    below=$(lsblk --noheadings --raw --output NAME,MOUNTPOINT "$device" | wc -l)
    [ "$below" -eq 1 ] || fail "$device is in use: it has partitions, or is part of an array or of LVM"
    [ -z "$(lsblk --nodeps --noheadings --raw --output MOUNTPOINT "$device" | tr -d '[:space:]')" ] || fail "$device is mounted, or swap"
  done
}

# A signature, or anything that is not zero in the first and last 4 MiB.
has_data() {
  [ -z "$(wipefs --noheadings --parsable "$1")" ] || return 0
  bytes=$(blockdev --getsize64 "$1")
  edge=4194304
  ! { dd if="$1" bs=1M count=4 2> /dev/null && dd if="$1" bs=1M skip=$(((bytes - edge) / 1048576)) 2> /dev/null; } |
    cmp -s -n $((2 * edge)) - /dev/zero
}

refuse_data() {
  for device in $devices; do
    has_data "$device" || continue
    [ "$SSM_dataOnMembers" = destroy ] || fail "$device has data on it; dataOnMembers=destroy would overwrite it"
    say "$device has data on it, which is overwritten: dataOnMembers=destroy"
  done
}

start_record() {
  step='begin a record'
  mkdir -p "$records/$name" || fail "could not make $records/$name"
  printf '%s\n' "$parameters" | write_file "$records/$name/parameters" 600
}

# What a script that was killed left of its work: by the record it is ours. An array may have another number after a start.
clear_members() {
  if vgs "$group" > /dev/null 2>&1; then run vgremove --force --yes "$group"; fi
  for device in $devices; do
    for holder in "/sys/block/${device#/dev/}/holders"/md*; do
      [ ! -e "$holder" ] || run mdadm --stop "/dev/${holder##*/}"
    done
    run wipefs --all "$device"
  done
}

join_members() {
  device=$devices
  clear_members
  if is_array; then
    level=${layout%-far2} && level=${level#raid}
    near_or_far=n2 && [ "$layout" = raid10 ] || near_or_far=f2
    set -- --level="$level" --chunk="$SSM_chunkKiB" --raid-devices="$count"
    [ "$level" != 10 ] || set -- "$@" --layout="$near_or_far"
    # shellcheck disable=SC2086 # a word each
    run mdadm --create "$array" --run --homehost=any --name="$group" "$@" $devices
    device=$array
  fi
  has_group || return 0
  # shellcheck disable=SC2086
  run vgcreate --yes --addtag stripewise "$group" $device
}

# Where a file system is made.
device_of_fs() {
  if has_group; then printf '/dev/%s/%s' "$group" "$(fs_name "$1")"; elif is_array; then printf '%s' "$array"; else printf '%s' "$devices"; fi
}

make_volumes() {
  has_group || return 0
  left=$file_system_count
  for one in $file_systems; do
    left=$((left - 1))
    volume=$(fs_name "$one")
    if lvs "$group/$volume" > /dev/null 2>&1; then run lvremove --force --yes "$group/$volume"; fi
    size=$(fs_percent "$one")%VG
    # Of all that is there, what rounding left too.
    [ "$left" -gt 0 ] || [ "$total" -lt 100 ] || size=100%FREE
    set -- --yes --wipesignatures y --extents "$size" --name "$volume"
    [ "$layout" != stripe ] || set -- "$@" --stripes "$count" --stripesize "${SSM_chunkKiB}k"
    run lvcreate "$@" "$group"
  done
}

# How many members a full stripe writes data to; 1 where there is none. RAID10 that cannot pair its members, and far
# copies, are laid out over all of them: as the kernel reports it (io_opt).
data_members() {
  case $layout in
    stripe | raid0 | raid10-far2) printf '%s' "$count" ;;
    raid5) printf '%s' $((count - 1)) ;;
    raid10) if [ $((count % 2)) -eq 0 ]; then printf '%s' $((count / 2)); else printf '%s' "$count"; fi ;;
    *) printf 1 ;;
  esac
}

make_file_systems() {
  width=$(data_members)
  for one in $file_systems; do
    device=$(device_of_fs "$one")
    run wipefs --all "$device"
    set --
    if [ "$SSM_fileSystemType" = xfs ]; then
      [ "$width" -eq 1 ] || set -- -d "su=${SSM_chunkKiB}k,sw=$width"
      run mkfs.xfs -q "$@" "$device"
    else
      stride=$((SSM_chunkKiB / 4))
      [ "$width" -eq 1 ] || set -- -E "stride=$stride,stripe_width=$((stride * width))"
      run mkfs.ext4 -q -b 4096 "$@" "$device"
    fi
    say "$device: $SSM_fileSystemType $*"
  done
}

# By its own identifier, which no start changes; a host starts without it too.
write_fstab() {
  mark=x-stripewise=$name
  {
    grep -v -e "[[:space:],]$mark\([[:space:],]\|\$\)" /etc/fstab
    for one in $file_systems; do
      uuid=$(blkid --probe --match-tag UUID --output value "$(device_of_fs "$one")") || fail "$(device_of_fs "$one") has no file system"
      printf 'UUID=%s %s %s noatime,nofail,x-systemd.device-timeout=30s,%s 0 2\n' "$uuid" "$(fs_mount "$one")" "$SSM_fileSystemType" "$mark"
    done
  } | write_file /etc/fstab 644
  [ ! -d /run/systemd/system ] || run systemctl daemon-reload
}

is_mounted() { findmnt --mountpoint "$1" > /dev/null; }

mount_all() {
  for one in $file_systems; do
    at=$(fs_mount "$one")
    is_mounted "$at" && continue
    run mkdir -p "$at"
    [ -z "$(ls -A "$at")" ] || fail "$at is not empty: what is in it would be hidden"
    run mount "$at"
    changed=yes
    say "mounted $at"
  done
}

# After a start of the host, or somebody's hand.
bring_up() {
  if is_array && [ ! -e "$array" ]; then
    # shellcheck disable=SC2086
    run mdadm --assemble "$array" $devices
    changed=yes
  fi
  ! has_group || run vgchange --activate y "$group"
}

report() {
  printf '{"name":"%s","layout":"%s","chunkKiB":%s,"changed":%s,"members":[' "$name" "$layout" "$SSM_chunkKiB" "$([ "$changed" = yes ] && echo true || echo false)"
  comma=
  for id in $members; do
    printf '%s{"volumeId":"%s","device":"%s"}' "$comma" "$id" "$(device_of "$id")"
    comma=,
  done
  printf '],"fileSystems":['
  comma=
  for one in $file_systems; do
    at=$(fs_mount "$one")
    printf '%s{"name":"%s","mountPoint":"%s","type":"%s","bytes":%s}' "$comma" "$(fs_name "$one")" "$at" "$SSM_fileSystemType" "$(findmnt --noheadings --bytes --output SIZE --mountpoint "$at" | tr -d ' ')"
    comma=,
  done
  printf ']}\n'
}

check_together
begin 'find the members'
devices=$(devices_of_members) || exit 1
if [ -f "$records/$name/parameters" ]; then
  before=$(recorded "$name" parameters)
  [ "$before" = "$parameters" ] || fail "$name was begun with other parameters ($before): give those, or take it away with teardown-stripe"
else
  begin 'look for data on the members'
  need wipefs util-linux
  refuse_used
  refuse_data
  start_record
fi
begin 'look for the tools'
! is_array || need mdadm mdadm
! has_group || need lvcreate lvm2
case $SSM_fileSystemType in
  xfs) need mkfs.xfs xfsprogs ;;
  ext4) need mkfs.ext4 e2fsprogs ;;
esac
once "$name" 'join the members' join_members
begin 'bring the stripe up'
bring_up
once "$name" 'make the volumes' make_volumes
once "$name" 'make the file systems' make_file_systems
once "$name" 'write /etc/fstab' write_fstab
begin 'mount'
mount_all
[ "$changed" = yes ] || say 'nothing to do: all is there'
report
