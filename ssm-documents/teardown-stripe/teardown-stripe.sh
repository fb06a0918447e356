#!/bin/sh
# Removes what build-stripe made, whole or half: unmounts, takes the lines out of /etc/fstab, removes volumes, group and
# array, and clears the members. It goes by the record of build-stripe and by what the members say of themselves: what is on
# a member now and is not ours stays. A member that is not attached is remembered and cleared by a later run.
document=teardown-stripe
# shellcheck source=../shared/steps.sh
. "${0%/*}/../shared/steps.sh"
# shellcheck source=../shared/record.sh
. "${0%/*}/../shared/record.sh"
# shellcheck source=../shared/members.sh
. "${0%/*}/../shared/members.sh"
# shellcheck source=../shared/mounts.sh
. "${0%/*}/../shared/mounts.sh"

parameter name "$SSM_name" '[a-z][a-z0-9]{0,14}'
parameter destroy "$SSM_destroy" 'yes|no'
parameter missingMembers "$SSM_missingMembers" 'remember|forget'
name=$SSM_name

nothing_there() {
  [ -z "$(own_lines)" ] || fail "/etc/fstab has lines of $name, and there is no record of it in $records: look at them"
  say "nothing to do: there is no stripe $name here"
  printf '{"name":"%s","changed":false,"cleared":[],"kept":[],"missing":[]}\n' "$name"
  exit 0
}

# Each member's fate is decided once, while all can be seen: one that is half cleared says nothing any more.
sort_members() {
  begin 'look at the members'
  for id in $(each_of "$seen${seen:+,}$absent"); do
    if ! device=$(device_of "$id" 2> /dev/null); then
      missing="$missing,$id"
      say "$id is not attached"
      continue
    fi
    content=$(content_of "$device") || exit 1
    if is_to_be_cleared "$id" "$content"; then
      to_clear="$to_clear $device"
      cleared="$cleared,$id"
    else
      kept="$kept,$id"
      say "$id stays as it is: nothing of build-stripe is on it, but $content"
    fi
  done
}

# What is not finished has no signature yet, or that of a physical volume alone.
is_to_be_cleared() {
  case $2 in
    ours) return 0 ;;
    nothing | orphan) [ "$before" = cleared ] || is_one_of "$1" "$(each_of "$seen")" ;;
    *) return 1 ;;
  esac
}

unmount_all() {
  begin 'look who uses it'
  # shellcheck disable=SC2086 # a word each
  numbers=$(numbers_on $to_clear)
  places=$(mounts_of "$numbers")
  for at in $places; do
    users=$(users_of "$at" "$places")
    [ -z "$users" ] || fail "$at is in use by ${users%; }: end that first; nothing was changed"
  done
  begin 'unmount'
  for at in $places; do
    run umount "$at"
    changed=true
    say "unmounted $at"
  done
  keepers=$(keepers_of "$numbers")
  [ -z "$keepers" ] || fail "it is unmounted, but not for ${keepers%; } with mounts of their own: end that and run this again"
}

# From here on build-stripe does not go on with it.
remember_leaving() {
  [ "$record_state" != leaving ] || return 0
  record_before=$record_state
  record_left=${cleared#,}
  record_absent=${missing#,}
  remember state leaving
  changed=true
}

take_lines_out() {
  begin 'take the lines out of /etc/fstab'
  [ -n "$(own_lines)" ] || return 0
  changed=true
  write_file /etc/fstab "$(other_lines)" 644
  [ ! -d /run/systemd/system ] || run systemctl daemon-reload
}

remove_directories() {
  begin 'remove the directories'
  # shellcheck disable=SC2086 # a word each; the inner ones first
  for directory in $(printf '%s\n' $record_directories | sort -r -u); do
    [ ! -d "$directory" ] || rmdir "$directory" 2> /dev/null || say "$directory stays: it is not empty, or in use"
  done
}

as_list() { [ -z "$1" ] || printf '"%s"' "$(printf '%s\n' "${1#,}" | sed 's/,/","/g')"; }

end_record() {
  begin 'end the record'
  if [ -n "$missing" ] && [ "$SSM_missingMembers" = remember ]; then
    record_left=
    remember absent "${missing#,}"
    say "its part of $name is still on ${missing#,}: run this again when that is attached, or with missingMembers=forget"
  else
    run rm -f "$records/$name"
    changed=true
  fi
}

alone
begin 'look for the record'
recall || nothing_there
[ "$SSM_destroy" = yes ] || fail "all data on $name go ($record_fileSystems): give destroy=yes"
changed=false
to_clear=
cleared=
missing=
kept=
seen=$record_left
absent=$record_absent
before=$record_before
if [ "$record_state" != leaving ]; then
  seen=
  absent=$record_members
  before=$record_state
fi
sort_members
unmount_all
remember_leaving
take_lines_out
begin 'take volumes and array away'
# shellcheck disable=SC2086 # a word each, here and below
take_down $to_clear
begin 'clear the members'
# shellcheck disable=SC2086
[ -z "$to_clear" ] || clear_members $to_clear
remove_directories
end_record
printf '{"name":"%s","changed":%s,"cleared":[%s],"kept":[%s],"missing":[%s]}\n' \
  "$name" "$changed" "$(as_list "$cleared")" "$(as_list "$kept")" "$(as_list "$missing")"
