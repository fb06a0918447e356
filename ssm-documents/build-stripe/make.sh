# From disks to file systems. Nothing of it is mounted, so all of it can be made again.
# shellcheck shell=sh

make_stripe() {
  begin 'look for data on the members'
  refuse_names
  refuse_mount_points
  # shellcheck disable=SC2086 # a word each, here and below
  if [ "$record_state" = cleared ]; then
    refuse_foreign
    begin 'take down what is half made'
    take_down $devices
    refuse_used
    to_clear=$devices
  else
    refuse_used
    look_for_data
    start_record
  fi
  changed=yes
  begin 'clear the members'
  # It fails where anything has one of them for itself.
  # shellcheck disable=SC2086
  run wipefs --all $devices
  # shellcheck disable=SC2086
  [ -z "$to_clear" ] || clear_members $to_clear
  [ "$record_state" = cleared ] || remember state cleared
  begin 'join the members'
  join_members
  begin 'make the volumes'
  make_volumes
  begin 'make the file systems'
  make_file_systems
  remember state made
}

refuse_names() {
  mine="$members
$(for one in $file_systems; do fs_mount "$one"; done)"
  for other in "$records"/*; do
    [ -f "$other" ] || continue
    [ "$other" != "$records/$name" ] || continue
    theirs=$(sed -n 's/^members=//p; s/^fileSystems=//p' "$other" | tr ',' '\n' | sed 's/:.*//; s/.*=//')
    for word in $mine; do
      ! is_one_of "$word" "$theirs" || fail "$word belongs to the stripe ${other##*/}: take that away with teardown-stripe, or give another"
    done
  done
  ! has_group || [ -z "$(vgs --noheadings --options vg_tags --select "vg_name=$group && vg_tags!=stripewise-${record_mark:-none}" 2> /dev/null)" ] ||
    fail "there is a volume group $group that is none of ours: rename that (vgrename), or give this stripe another name"
}

refuse_used() {
  # shellcheck disable=SC2086
  used=$(use_of $devices)
  [ -z "$used" ] || fail "a member is in use: ${used%; }"
}

# From a signature, or anything that is not zero in the first and last 4 MiB.
look_for_data() {
  to_clear=
  for device in $devices; do
    content=$(content_of "$device") || exit 1
    case $content in
      nothing)
        is_zero_at_ends "$device" && continue
        content='bytes that are not zero'
        ;;
      group*) fail "a member is in use: $device belongs to the volume $content; take it out of that first (vgreduce, vgremove)" ;;
    esac
    [ "$SSM_dataOnMembers" = destroy ] || fail "$device has data on it ($content); dataOnMembers=destroy would overwrite it"
    ! is_array || [ "$SSM_initialSync" = run ] || fail "$device has data on it ($content), so it is not all zero: give initialSync=run"
    say "$device has data on it ($content), which is overwritten: dataOnMembers=destroy"
    to_clear="$to_clear $device"
  done
}

is_zero_at_ends() {
  last=$(($(bytes_of "${1#/dev/}") - 4194304))
  cmp -s -n 4194304 "$1" /dev/zero && cmp -s -n 4194304 -i "$last:0" "$1" /dev/zero
}

# An earlier run got as far as clearing them. Who has taken one since keeps it.
refuse_foreign() {
  for device in $devices; do
    content=$(content_of "$device") || exit 1
    case $content in
      nothing | ours | orphan) ;;
      *) fail "$device has data on it that build-stripe did not put there ($content): clear it (wipefs --all), or take this stripe away with teardown-stripe" ;;
    esac
  done
}

start_record() {
  [ -z "$record_state" ] || return 0
  begin 'begin a record'
  [ -d "$records" ] || run mkdir -p "$records"
  record_members=$SSM_members
  record_layout=$layout
  record_chunkKiB=$chunk
  record_fileSystemType=$SSM_fileSystemType
  record_fileSystems=$SSM_fileSystems
  read -r record_mark < /proc/sys/kernel/random/uuid
  record_uuids=
  for one in $file_systems; do
    read -r uuid < /proc/sys/kernel/random/uuid
    record_uuids="$record_uuids${record_uuids:+,}$uuid"
  done
  # Members that have nothing on them are as good as cleared.
  if [ -n "$to_clear" ]; then remember state begun; else remember state cleared; fi
}

# The name has no host's name in it, so that a host of any name takes the array for its own.
join_members() {
  device=$devices
  if is_array; then
    level=${layout%-far2} && level=${level#raid}
    set -- --level="$level" --chunk="$chunk" --raid-devices="$count"
    case $layout in
      raid10) set -- "$@" --layout=n2 ;;
      raid10-far2) set -- "$@" --layout=f2 ;;
    esac
    [ "$layout" = raid0 ] || [ "$SSM_initialSync" = run ] || set -- "$@" --assume-clean
    # shellcheck disable=SC2086 # a word each
    run mdadm --create "$array" --run --homehost=any --name="$group" --uuid="$record_mark" "$@" $devices
    device=$array
    run udevadm settle --timeout=30
  fi
  has_group || return 0
  set -- --yes --addtag "stripewise-$record_mark"
  width=$(($(data_members) * chunk))
  # So that each volume, not the first alone, begins where a stripe begins.
  if is_array; then set -- "$@" --dataalignment "${width}k" --physicalextentsize "$(extent_of "$width")k"; fi
  # shellcheck disable=SC2086
  run vgcreate "$@" "$group" $device
  remember group "$(vgs --noheadings --options vg_uuid "$group" | tr -d ' -')"
}

# From 4 MiB on, a multiple of the width and of the 128 KiB that LVM asks for.
extent_of() {
  extent=$1
  while [ "$extent" -lt 4096 ] || [ $((extent % 128)) -ne 0 ]; do extent=$((extent * 2)); done
  printf '%s\n' "$extent"
}

make_volumes() {
  has_group || return 0
  left=$file_system_count
  for one in $file_systems; do
    left=$((left - 1))
    size=$(fs_percent "$one")%VG
    # Of all that is there, what rounding left too.
    [ "$left" -gt 0 ] || [ "$total" -lt 100 ] || size=100%FREE
    set -- --yes --wipesignatures y --extents "$size" --name "$(fs_name "$one")"
    [ "$layout" != stripe ] || set -- "$@" --stripes "$count" --stripesize "${chunk}k"
    run lvcreate "$@" "$group"
  done
  run udevadm settle --timeout=30
}

make_file_systems() {
  data=$(data_members)
  # shellcheck disable=SC2046 # a word each
  set -- $(each_of "$record_uuids")
  for one in $file_systems; do
    device=$(device_of_fs "$one")
    aligned=
    if [ "$SSM_fileSystemType" = xfs ]; then
      [ "$data" -eq 1 ] || aligned="-d su=${chunk}k,sw=$data"
      # shellcheck disable=SC2086
      run mkfs.xfs -q -f -m uuid="$1" $aligned "$device"
    else
      stride=$((chunk / 4))
      [ "$data" -eq 1 ] || aligned="-E stride=$stride,stripe_width=$((stride * data))"
      # shellcheck disable=SC2086
      run mkfs.ext4 -q -F -b 4096 -U "$1" $aligned "$device"
    fi
    shift
    say "$device: $SSM_fileSystemType $aligned"
  done
}
