# Where file systems are mounted, and who uses them. Needs steps.sh, record.sh and what recall gives.
# shellcheck shell=sh

# Lines of /etc/fstab that build-stripe wrote for this stripe; and all others.
own_lines() { grep -e "^[^#]*[[:space:],]x-stripewise=$name\([[:space:],]\|\$\)" /etc/fstab; }
other_lines() { grep -v -e "^[^#]*[[:space:],]x-stripewise=$name\([[:space:],]\|\$\)" /etc/fstab; }

# The number of the device that is mounted at a place.
number_at() { awk -v at="$1" '$5 == at { number = $3 } END { print number }' /proc/self/mountinfo; }

# The array of a stripe when the last of its members is gone. One that was stopped may go while it is looked at.
empty_array() {
  array_left=$(readlink -f "/dev/md/stripewise_$name")
  array_left=${array_left##*/}
  [ ! -d "/sys/block/$array_left/slaves" ] || [ -n "$(ls "/sys/block/$array_left/slaves" 2> /dev/null)" ] ||
    [ ! -d "/sys/block/$array_left/slaves" ] || printf '%s\n' "$array_left"
}

# Of all that stands on the devices given, and of what stands on nothing any more.
#   numbers_on DEVICE...
numbers_on() {
  [ $# -eq 0 ] || lsblk --noheadings --raw --output MAJ:MIN "$@"
  [ -z "$record_group" ] || dmsetup info --columns --noheadings --separator = --options major,minor,uuid |
    sed -n "s/^\([0-9]*\)=\([0-9]*\)=LVM-$record_group.*/\1:\2/p"
  array_left=$(empty_array)
  [ -z "$array_left" ] || cat "/sys/block/$array_left/dev"
  for one in $(each_of "$record_fileSystems"); do
    number=$(number_at "$(fs_mount "$one")")
    [ -z "$number" ] || [ -e "/sys/dev/block/$number" ] || printf '%s\n' "$number"
  done
}

# Where they are mounted, the last one first.
#   mounts_of NUMBERS
mounts_of() {
  awk -v numbers="$1" '
    BEGIN { split(numbers, each, /[ \n]+/); for (i in each) wanted[each[i]] = 1 }
    $3 in wanted { places = $5 "\n" places }
    END { printf "%s", places }
  ' /proc/self/mountinfo
}

# Who uses what is below a place: processes, mounts that are not named, swap, loop devices.
#   users_of PLACE NAMED-PLACES
users_of() {
  {
    find /proc/[0-9]*/cwd /proc/[0-9]*/root /proc/[0-9]*/exe /proc/[0-9]*/fd -maxdepth 1 '(' -lname "$1" -o -lname "$1/*" ')'
    grep -l -F -e " $1/" /proc/[0-9]*/maps
  } 2> /dev/null | awk -F / '!seen[$3]++ { print $3 }' | head -n 8 | while read -r pid; do describe_process "$pid"; done
  awk -v below="$1/" 'index($5, below) == 1 { print $5 }' /proc/self/mountinfo | while read -r place; do
    is_one_of "$place" "$2" || printf 'the mount %s; ' "$place"
  done
  awk -v below="$1/" 'index($1, below) == 1 { printf "the swap %s; ", $1 }' /proc/swaps
  cat /sys/block/loop*/loop/backing_file 2> /dev/null | awk -v below="$1/" 'index($0, below) == 1 { printf "the loop device of %s; ", $0 }'
}

describe_process() {
  read -r command < "/proc/$1/comm" || return 0
  printf 'process %s (%s); ' "$1" "$command"
} 2> /dev/null

# In a mount namespace of its own a process may keep what is unmounted here.
#   keepers_of NUMBERS
keepers_of() {
  for number in $1; do grep -l -s -e "^[0-9]* [0-9]* $number " /proc/[0-9]*/mountinfo; done |
    awk -F / '!seen[$3]++ { print $3 }' | head -n 8 | while read -r pid; do describe_process "$pid"; done
}
