# Freezes file systems and sees to it that they are thawed, whatever becomes of this script.
# shellcheck shell=sh

# Into a variable, by the shell alone: the watchdog asks it again and again.
look_at_clock() {
  read -r up _ < /proc/uptime
  hundredths=${up%.*}${up#*.}
}

# When a process began, in ticks since the start; nothing when it has ended. A number alone may be another's by then.
look_at_process() {
  began=
  read -r line 2> /dev/null < "/proc/$1/stat" || return 0
  # shellcheck disable=SC2086 # a word each; what stands before ")" is its name
  set -- ${line##*) }
  group_id=$3
  case $1 in Z | X) ;; *) began=${20} ;; esac
}

# What the watchdog sees of this script. Who has the lock knows that no other is at work.
make_watched() {
  rm -rf /run/stripewise-freeze.*
  watched=$(mktemp -d /run/stripewise-freeze.XXXXXX) || fail 'could not make a directory in /run'
  trap 'rm -rf "$watched"' EXIT
}

# In a session of its own: a signal to the script's process group does not reach it. It has the lock too: nobody freezes
# anew as long as it may thaw.
start_watchdog() {
  : > "$watched/frozen"
  look_at_process $$
  setsid sh "$0" watchdog $$ "$began" "$group_id" "$SSM_freezeSeconds" "$watched" < /dev/null > /dev/null 2>&1 &
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
    [ ! -e "$watched/ready" ] || return 0
    sleep 0.2
  done
  fail 'the watchdog did not start; nothing was frozen'
}

#   watch_over PID BEGAN GROUP SECONDS DIRECTORY
watch_over() {
  # Of the agent's service too, when that is stopped.
  trap '' HUP INT TERM
  watched=$5
  look_at_clock
  until=$((hundredths + $4 * 100))
  : > "$watched/ready"
  while look_at_process "$1" && [ "$began" = "$2" ]; do
    look_at_clock
    [ "$hundredths" -lt "$until" ] || : > "$watched/limit"
    [ ! -e "$watched/limit" ] || thaw_all
    sleep 0.2
  done
  thaw_all
  # A freeze that was under way comes to its end though its process was killed.
  until=$((hundredths + 60000))
  while [ -e "$watched/frozen" ] && [ "$3" -gt 1 ] && kill -s 0 -- "-$3" 2> /dev/null && [ "$hundredths" -lt "$until" ]; do
    sleep 0.2
    look_at_clock
    thaw_all
  done
  rm -rf "$watched"
}

freeze_all() {
  # The watchdog removes the directory.
  trap thaw_all EXIT
  trap 'exit 143' HUP INT TERM
  # What is written before need not be written while all wait.
  # shellcheck disable=SC2086 # a word each
  run sync --file-system $places
  look_at_clock
  froze_at=$hundredths
  for at in $places; do
    printf '%s\n' "$at" >> "$watched/frozen"
    said=$(fsfreeze --freeze "$at" 2>&1) && continue
    # Who froze it thaws it.
    frozen_before=$(grep -v -x -F -e "$at" "$watched/frozen")
    printf '%s\n' "$frozen_before" > "$watched/frozen"
    fail "could not freeze $at: $said"
  done
  say "frozen: $(printf '%s' "$places" | tr '\n' ' ')"
}

# Thawed by now, by the watchdog or because it never was frozen, is as good.
thaw_all() {
  not_thawed=
  [ -e "$watched/frozen" ] || return 0
  while read -r at; do
    [ -n "$at" ] || continue
    said=$(fsfreeze --unfreeze "$at" 2>&1) && continue
    case $said in *'Invalid argument'*) ;; *) not_thawed="$not_thawed $said;" ;; esac
  done < "$watched/frozen"
}

thaw_or_fail() {
  # Before it is thawed: until now all was frozen, or the limit has passed.
  if [ -e "$watched/limit" ]; then is_late=yes; else is_late=no; fi
  thaw_all
  look_at_clock
  frozen_milliseconds=$(((hundredths - froze_at) * 10))
  trap - EXIT
  if [ -n "$not_thawed" ]; then fail "could not thaw:${not_thawed%;}; the watchdog goes on trying"; fi
  rm -f "$watched/frozen"
  say "thawed after $frozen_milliseconds ms"
}
