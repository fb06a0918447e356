# Which file systems are frozen together, and which volumes they lie on.
# shellcheck shell=sh

find_places() {
  if [ -n "$SSM_mountPoints" ]; then
    [ -z "$name" ] || fail 'name and mountPoints are both given: give one of them'
    places=$(each_of "$SSM_mountPoints")
  else
    [ -n "$name" ] || fail 'neither name nor mountPoints is given: give one of them'
    recall || fail "there is no stripe $name here: give one that build-stripe made, or mountPoints"
    [ "$record_state" = made ] || fail "$name is not whole: run build-stripe again first"
    places=$(for one in $(each_of "$record_fileSystems"); do fs_mount "$one"; done)
  fi
  numbers=$(numbers_at "$places") || exit 1
}

numbers_at() {
  for at in $1; do
    number=$(number_at "$at")
    [ -n "$number" ] || fail "nothing is mounted at $at: mount it, or name another"
    [ -e "/sys/dev/block/$number" ] || fail "$at lies on no disk that is there"
    printf '%s\n' "$number"
  done
}

# A volume is taken as a whole: all that is mounted from it is frozen, and what that lies on is taken too.
find_members() {
  disks=
  while :; do
    below=$(disks_below "$numbers")
    [ "$below" != "$disks" ] || break
    disks=$below
    # shellcheck disable=SC2046 # a word each
    above=$(lsblk --noheadings --raw --output MAJ:MIN $(printf '%s\n' "$disks" | sed 's:^:/dev/:; s: .*::'))
    numbers=$(numbers_mounted "$above")
  done
  places=$(for number in $numbers; do first_place_of "$number"; done)
  members=$(printf '%s\n' "$disks" | sed 's/.* //')
  for member in $members; do
    case $member in
      vol*) ;;
      *) fail "$(printf '%s' "$places" | tr '\n' ' ') lies on a disk that is no volume of EBS (serial $member)" ;;
    esac
  done
  members=$(printf '%s\n' "$members" | sed 's/^vol/vol-/' | sort)
  # A member that an array has lost would be no part of the set.
  [ -z "$name" ] || [ "$members" = "$(each_of "$record_members" | sort)" ] ||
    fail "$name lies on $(printf '%s' "$members" | tr '\n' ' '), and was made of $record_members: a part of them would be no copy of it"
  say "file systems: $(printf '%s' "$places" | tr '\n' ' ')"
  say "volumes: $(printf '%s' "$members" | tr '\n' ' ')"
}

# "nvme1n1 vol0123..." a line
disks_below() {
  # shellcheck disable=SC2046,SC2086 # a word each
  lsblk --inverse --noheadings --raw --output KNAME,TYPE,SERIAL $(printf '/dev/block/%s\n' $1) |
    awk '$2 == "disk" || $2 == "loop" { print $1, $3 == "" ? "none" : $3 }' | sort -u
}

numbers_mounted() {
  awk -v numbers="$1" '
    BEGIN { split(numbers, each, /[ \n]+/); for (i in each) wanted[each[i]] = 1 }
    $3 in wanted && !seen[$3]++ { print $3 }
  ' /proc/self/mountinfo
}

first_place_of() { awk -v number="$1" '$3 == number { print $5; exit }' /proc/self/mountinfo; }

# Whatever this script, the agent and the AWS CLI read and write. Frozen, none of them would come to thaw it.
refuse_system() {
  begin 'see that the system is not frozen'
  command -v aws > /dev/null || fail 'the AWS CLI is not there: install it (awscli-2 on Amazon Linux, awscli on Debian)'
  cli=$(readlink -f "$(command -v aws)")
  # shellcheck disable=SC2086 # a word each
  frozen_devices=$(stat --format '%d' $places) || fail 'could not look at the file systems'
  stat --dereference --format '%d %n' / /etc /usr /run /dev /tmp /root /var /var/lib /var/log /var/tmp \
    /var/lib/amazon "$records" "$cli" "$0" "${HOME:-/}" 2> /dev/null |
    while read -r device path; do
      is_one_of "$device" "$frozen_devices" || continue
      fail "$path is on what would be frozen: this script needs it to thaw again"
    done || exit 1
}

# Of what is attached, all but members and the volume that the system lies on, which has an option of its own.
others() {
  root_disk=$(disks_below "$(number_at /)" | sed 's/.* vol/vol-/')
  lsblk --nodeps --noheadings --raw --output SERIAL | sed -n 's/^vol/vol-/p' | sort -u | while read -r volume; do
    is_one_of "$volume" "$members" || is_one_of "$volume" "$root_disk" || printf '%s\n' "$volume"
  done
}
