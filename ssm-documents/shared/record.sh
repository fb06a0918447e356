# What was begun of a stripe and how far it is, on the disk before it is done: whoever comes after a script that was killed
# knows what is half built and that it is ours. A file for each stripe, of lines KEY=VALUE. Needs steps.sh and name.
#
# state: begun (the members may still have what was on them), cleared (what is on them is ours), made (it is all there),
# leaving (teardown-stripe is at it). mark: the UUID of the array and the tag of the group. uuids: of the file systems.
# group: LVM's own UUID of it. directories: made to mount at. For teardown-stripe, left: members that are to be cleared;
# absent: those it has not seen; before: the state that it found.
# shellcheck shell=sh
records=/var/lib/stripewise/stripes
keys='members layout chunkKiB fileSystemType fileSystems mark uuids state group directories left absent before'

# One at a time: who has the lock is alive.
alone() {
  LVM_SUPPRESS_FD_WARNINGS=1
  export LVM_SUPPRESS_FD_WARNINGS
  exec 9> /run/stripewise.lock
  flock --wait 30 9 || fail 'another of build-stripe, teardown-stripe and snapshot-stripe is at work on this host: run it again later'
}

# A file as a whole or not at all, also where the host dies. For root alone, unless another mode is given.
#   write_file PATH TEXT [MODE]
write_file() {
  { printf '%s\n' "$2" > "$1.new" && { [ -z "${3-}" ] || chmod "$3" "$1.new"; } && sync "$1.new" && mv "$1.new" "$1" && sync "${1%/*}"; } ||
    fail "could not write $1"
}

# Into variables: record_state, record_members ... Fails where there is none.
# shellcheck disable=SC2034 # remember uses them all
recall() {
  record_members='' record_layout='' record_chunkKiB='' record_fileSystemType='' record_fileSystems='' record_mark='' record_uuids=''
  record_state='' record_group='' record_directories='' record_left='' record_absent='' record_before=''
  [ -f "$records/$name" ] || return 1
  while IFS='=' read -r key value; do
    case " $keys " in *" $key "*) eval "record_$key=\$value" ;; esac
  done < "$records/$name"
}

#   remember KEY VALUE
remember() {
  eval "record_$1=\$2"
  text=
  for key in $keys; do
    eval "value=\$record_$key"
    [ -z "$value" ] || text="$text$key=$value
"
  done
  write_file "$records/$name" "${text%?}"
}

#   is_one_of WORD LINES
is_one_of() {
  case "
$2
" in *"
$1
"*) return 0 ;; esac
  return 1
}

# What an entry of fileSystems says: NAME=MOUNT-POINT:PERCENT
fs_name() { printf '%s\n' "${1%%=*}"; }
fs_mount() {
  mount_of=${1#*=}
  printf '%s\n' "${mount_of%%:*}"
}
fs_percent() { printf '%s\n' "${1##*:}"; }
