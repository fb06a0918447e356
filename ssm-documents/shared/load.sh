# What every document shares that puts load on volumes: it is the only one on its host, ends in time, and nothing of it
# outlives the script, however that ends. A script has a function `tidy`, which is called at its end.
# shellcheck shell=sh

state=/var/lib/stripewise
# Gone after a start of the host, as what it speaks of.
scratch=/run/stripewise
said=$scratch/said
child=

# Since the host started: nobody sets that clock.
uptime_seconds() {
  read -r up _ < /proc/uptime
  printf '%s' "${up%.*}"
}
started=$(uptime_seconds)
seconds_left() { printf '%s' $((started + SSM_timeLimitSeconds - $(uptime_seconds))); }

end_child() {
  [ -n "$child" ] || return 0
  kill -KILL "$child" 2> /dev/null
  wait "$child" 2> /dev/null
  child=
}

# A script that is killed does not come here: what it had started ends with it, and its files are the next run's.
leave() {
  status=$?
  trap - EXIT
  end_child
  tidy
  exit "$status"
}

# Another's load would be measured too. What a script that was killed had started ends a moment after it.
be_alone() {
  begin 'wait for other loads'
  need flock util-linux
  need setpriv util-linux
  mkdir -p "$scratch" "$state" || fail "could not make $scratch and $state"
  exec 9> "$scratch/lock"
  flock -w 10 9 || fail 'another document of stripewise puts load on this host: wait for its end, or cancel it'
  trap leave EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

# Starts a tool as $child, which is ended after some seconds, and with its parent, whatever ended that. In the foreground it
# is of the script's process group: agents kill that.
#   start_within SECONDS TOOL [ARGUMENT...]
start_within() {
  [ "$1" -gt 0 ] || fail "the time limit of $SSM_timeLimitSeconds s is over"
  within=$1
  shift
  setpriv --pdeathsig KILL timeout --foreground --signal KILL "$within" \
    setpriv --pdeathsig KILL "$@" > "$said" 2>&1 < /dev/null &
  child=$!
}
await_child() {
  wait "$child"
  set -- $?
  child=
  return "$1"
}

# Runs a tool to its end, in what is left of the time.
#   in_time TOOL [ARGUMENT...]
in_time() {
  start_within "$(seconds_left)" "$@"
  await_child || fail_of "$1" $?
}

#   fail_of TOOL STATUS
fail_of() {
  [ "$(seconds_left)" -gt 0 ] || fail "the time limit of $SSM_timeLimitSeconds s is over"
  fail "$1 ended with status $2: $(why_of "$1")"
}

# fio says it in lines of its own name, among others.
#   why_of TOOL
why_of() {
  why=$(grep -m 1 -e "^$1: " "$said") || why=$(tail -n 2 "$said" | tr '\n' ' ')
  printf '%s' "$why" | cut -c 1-500
}

# A file as a whole or not at all, also where the host dies.
#   put_file PATH < text   behind a pipe with || exit 1
put_file() {
  { cat > "$1.new" && sync "$1.new" && mv "$1.new" "$1" && sync "${1%/*}"; } || fail "could not write $1"
}
