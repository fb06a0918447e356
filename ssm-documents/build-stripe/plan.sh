# What is to be built, from the parameters.
# shellcheck shell=sh

read_parameters() {
  file_system='[a-z][a-z0-9]{0,11}=(/[A-Za-z0-9_][A-Za-z0-9_.-]*){1,6}:(100|[1-9][0-9]?)'
  parameter name "$SSM_name" '[a-z][a-z0-9]{0,14}'
  parameter members "$SSM_members" 'vol-[0-9a-f]{8,17}(,vol-[0-9a-f]{8,17}){0,63}'
  parameter layout "$SSM_layout" 'single|linear|stripe|raid0|raid5|raid10|raid10-far2'
  parameter chunkKiB "$SSM_chunkKiB" '4|8|16|32|64|128|256|512|1024'
  parameter fileSystemType "$SSM_fileSystemType" 'xfs|ext4'
  parameter fileSystems "$SSM_fileSystems" "$file_system(,$file_system){0,3}"
  parameter dataOnMembers "$SSM_dataOnMembers" 'refuse|destroy'
  parameter initialSync "$SSM_initialSync" 'run|skip'
  name=$SSM_name
  layout=$SSM_layout
  chunk=$SSM_chunkKiB
  group=stripewise_$name
  array=/dev/md/$group
  members=$(each_of "$SSM_members")
  count=$(number_of_words "$members")
  # One that is mounted below another comes after it: "!" comes before "/".
  file_systems=$(each_of "$SSM_fileSystems" | tr : ! | sort -t = -k 2 | tr ! :)
  file_system_count=$(number_of_words "$file_systems")
}

number_of_words() {
  # shellcheck disable=SC2086 # a word each
  set -- $1
  printf '%s\n' $#
}

refuse_twice() {
  seen=
  for word in $2; do
    ! is_one_of "$word" "$seen" || fail "$word is there twice in $1"
    seen="$seen
$word"
  done
}

check_together() {
  refuse_twice members "$members"
  refuse_twice fileSystems "$(for one in $file_systems; do fs_name "$one" && fs_mount "$one"; done)"
  case $layout in
    single) [ "$count" -eq 1 ] || fail "layout single has one member, and there are $count" ;;
    linear | stripe | raid0) [ "$count" -ge 2 ] || fail "layout $layout has two members or more, and there is one" ;;
    raid5) [ "$count" -ge 3 ] || fail "layout raid5 has three members or more, and there are $count" ;;
    raid10*) [ "$count" -ge 4 ] || fail "layout $layout has four members or more, and there are $count" ;;
  esac
  total=0
  for one in $file_systems; do
    total=$((total + $(fs_percent "$one")))
    at=$(fs_mount "$one")
    top=${at#/}
    case ${top%%/*} in
      bin | boot | dev | etc | lib | lib32 | lib64 | libx32 | proc | root | run | sbin | sys | tmp | usr)
        fail "$at is the system's own: mount elsewhere, below /srv say"
        ;;
    esac
  done
  [ "$total" -le 100 ] || fail "the file systems take $total percent together"
}

# A volume group is there where it joins the members, or where one device has several file systems or is not all used.
has_group() {
  case $layout in
    linear | stripe) return 0 ;;
    *) [ "$file_system_count" -gt 1 ] || [ "$total" -lt 100 ] ;;
  esac
}
is_array() {
  case $layout in
    raid*) return 0 ;;
    *) return 1 ;;
  esac
}

# How many members a full stripe writes data to; 1 where there is none. Copies that are not beside each other (far, or near
# with an odd number of members) spread a stripe over all of them: it is what the kernel reports as optimal_io_size.
data_members() {
  case $layout in
    stripe | raid0 | raid10-far2) printf '%s\n' "$count" ;;
    raid5) printf '%s\n' $((count - 1)) ;;
    raid10) if [ $((count % 2)) -eq 0 ]; then printf '%s\n' $((count / 2)); else printf '%s\n' "$count"; fi ;;
    *) printf '1\n' ;;
  esac
}

devices_of_members() {
  for id in $members; do device_of "$id" || exit 1; done
}

# Where a file system is made.
device_of_fs() {
  if has_group; then
    printf '/dev/%s/%s\n' "$group" "$(fs_name "$1")"
  elif is_array; then
    printf '%s\n' "$array"
  else
    printf '%s\n' "$devices"
  fi
}

look_for_tools() {
  begin 'look for the tools'
  need wipefs util-linux
  ! is_array || need mdadm mdadm
  ! has_group || need lvcreate lvm2
  case $SSM_fileSystemType in
    xfs) need mkfs.xfs xfsprogs ;;
    ext4) need mkfs.ext4 e2fsprogs ;;
  esac
}
