# What every script that changes a host begins with. It is put into a document in place of the line that reads it. The
# script says its own name first: document=NAME.
# shellcheck shell=sh
set -u
LC_ALL=C
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export LC_ALL PATH
umask 077

step='check the parameters'

say() { printf '%s\n' "$*"; }
begin() {
  step=$1
  say "== $step"
}
# Within $( ) it ends that alone: text=$(...) || exit 1
fail() {
  printf '%s: step "%s" failed: %s\n' "${document-}" "$step" "$*" >&2
  exit 1
}

# Runs a tool; what it prints is seen where it fails: its beginning and its end.
run() {
  output=$("$@" 2>&1 < /dev/null) || fail "$1 ended with status $?: $(
    printf '%s\n' "$output" | awk 'NR < 3 { print; next } { before = last; last = $0 } END { print before; print last }' |
      tr -s '\n' ' ' | cut -c 1-600
  )"
}

# A parameter as it must be. Documents have the same pattern; an agent that does not know it, or a person, may pass anything.
#   parameter NAME VALUE EXTENDED-REGULAR-EXPRESSION
parameter() {
  # Of several lines grep would be content with one.
  case $2 in
    *[!A-Za-z0-9=/:,._%-]*) fail "$1 has a character that no parameter may have: allowed are letters, digits and = / : , . _ % -" ;;
  esac
  grep -Eqx -e "$3" << END || fail "$1 is \"$2\" and must match $3"
$2
END
}

# The tools that are asked for, installed where they are missing.
#   need TOOL PACKAGE
need() {
  command -v "$1" > /dev/null && return
  say "installing $2: $1 is not there"
  if command -v dnf > /dev/null; then
    run dnf -q -y install "$2"
  elif command -v apt-get > /dev/null; then
    run apt-get -q -y -o DPkg::Lock::Timeout=120 update
    run env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 install --no-install-recommends "$2"
  else
    fail "$1 is not there, and neither dnf nor apt-get to install $2"
  fi
  command -v "$1" > /dev/null || fail "$1 is not there after $2 was installed"
}

# The whole disk of a volume, by the serial that EBS gives its NVMe controller. Names change with every start.
device_of() {
  found=
  for serial_file in /sys/block/nvme*/device/serial; do
    disk=${serial_file#/sys/block/} && disk=/dev/${disk%%/*}
    # With several paths to a disk, each of them has a directory, and one of them a device.
    serial=
    [ ! -b "$disk" ] || read -r serial < "$serial_file"
    [ "$serial" = "vol${1#vol-}" ] || continue
    [ -z "$found" ] || fail "$1 is more than one disk here: $found and $disk"
    found=$disk
  done
  [ -n "$found" ] || fail "$1 is not attached to this host, or not by NVMe: no disk has the serial vol${1#vol-}"
  printf '%s\n' "$found"
}

# Members of a list, one a line.
each_of() {
  (
    IFS=,
    # shellcheck disable=SC2086 # a word each
    printf '%s\n' $1
  )
}
