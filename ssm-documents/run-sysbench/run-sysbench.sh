#!/bin/sh
# Measures a mounted file system with sysbench: its file I/O test in several modes, or transactions of a database server that
# it starts for that, with data of its own and without a network. Files and server are gone at its end. The result is one JSON
# document. A run that was killed starts over when it is run again, and one that is finished is only uploaded again.
document=run-sysbench
# shellcheck source=../shared/steps.sh
. "${0%/*}/../shared/steps.sh"
# shellcheck source=../shared/load.sh
. "${0%/*}/../shared/load.sh"
# shellcheck source=../shared/results.sh
. "${0%/*}/../shared/results.sh"
# shellcheck source=database.sh
. "${0%/*}/database.sh"

mode='(seqrd|seqwr|rndrd|rndwr|rndrw)'
parameter test "$SSM_test" 'fileio|oltp'
parameter totalSizeMiB "$SSM_totalSizeMiB" '[1-9][0-9]{1,6}'
parameter modes "$SSM_modes" "$mode(,$mode){0,4}"
parameter tables "$SSM_tables" '[1-9][0-9]?'
parameter tableSize "$SSM_tableSize" '[1-9][0-9]{2,7}'
parameter threads "$SSM_threads" '[1-9][0-9]{0,2}(,[1-9][0-9]{0,2}){0,9}'
parameter secondsPerStep "$SSM_secondsPerStep" '[1-9][0-9]{0,3}'
check_result_parameters

# How many files the test has.
files=16
case $SSM_test in
  fileio) step_names=$(each_of "$SSM_modes") what="totalSizeMiB=$SSM_totalSizeMiB modes=$SSM_modes" size="\"totalSizeMiB\":$SSM_totalSizeMiB" ;;
  oltp) step_names=oltp what="tables=$SSM_tables tableSize=$SSM_tableSize" size="\"tables\":$SSM_tables,\"tableSize\":$SSM_tableSize" ;;
esac
parameters="test=$SSM_test directory=$SSM_directory $what threads=$SSM_threads secondsPerStep=$SSM_secondsPerStep"
step_count=$(($(printf '%s\n' "$step_names" | wc -l) * $(each_of "$SSM_threads" | wc -l)))
work=$SSM_directory/$own_directory

check_together() {
  [ $((SSM_totalSizeMiB % files)) -eq 0 ] ||
    fail "totalSizeMiB is $SSM_totalSizeMiB and must be a multiple of $files: so many files there are"
  [ $((step_count * SSM_secondsPerStep)) -lt "$SSM_timeLimitSeconds" ] ||
    fail "timeLimitSeconds is $SSM_timeLimitSeconds, and $step_count steps alone take $((step_count * SSM_secondsPerStep)) s"
}

need_sysbench() {
  begin 'look for sysbench'
  command -v sysbench > /dev/null && return
  if command -v dnf > /dev/null && ! dnf -q list sysbench > /dev/null 2>&1; then
    fail 'sysbench is not there, and no repository of this host has it, as on Amazon Linux 2023: build it there from its source, or measure on Debian or Ubuntu; run-fio needs no sysbench'
  fi
  need sysbench sysbench
}

tidy() {
  stop_server
  remove_files
}

on_files() {
  in_time sysbench fileio --file-total-size="${SSM_totalSizeMiB}M" --file-num=$files --file-io-mode=sync \
    --file-extra-flags=direct "$@"
}
on_tables() {
  in_time sysbench oltp_read_write --db-driver=mysql --mysql-socket="$socket" --mysql-user=root --mysql-db=stripewise \
    --tables="$SSM_tables" --table-size="$SSM_tableSize" "$@"
}

# Writing a file one after the other makes them anew, and ends with the time, so the next mode finds half of them.
prepared=no
prepare_for() {
  case $1 in
    seqwr) prepared=no ;;
    oltp) [ "$prepared" = yes ] || { begin 'fill the tables' && on_tables prepare; } ;;
    *) [ "$prepared" = yes ] || { begin 'write the files' && on_files --file-block-size=1048576 prepare; } ;;
  esac
  [ "$1" = seqwr ] || prepared=yes
}

# Standard input as a JSON string.
as_text() {
  printf '"'
  sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/$/\\n/' | tr -d '\000-\037'
  printf '"'
}

# What sysbench printed, as JSON.
as_json() {
  awk '
    function is(name, value) { printf "%s\"%s\":%s", comma, name, value + 0; comma = "," }
    BEGIN { printf "{" }
    /^ +reads\/s:/ { is("readsPerSecond", $2) }
    /^ +writes\/s:/ { is("writesPerSecond", $2) }
    /^ +fsyncs\/s:/ { is("fsyncsPerSecond", $2) }
    /^ +read, MiB\/s:/ { is("readMibps", $3) }
    /^ +written, MiB\/s:/ { is("writtenMibps", $3) }
    /^ +transactions:/ { is("transactionsPerSecond", substr($3, 2)) }
    /^ +queries:/ { is("queriesPerSecond", substr($3, 2)) }
    /^ +total time:/ { is("seconds", $3) }
    /^ +total number of events:/ { is("events", $5) }
    /^ +min:/ { is("minMs", $2) }
    /^ +avg:/ { is("meanMs", $2) }
    /^ +max:/ { is("maxMs", $2) }
    /^ +95th percentile:/ { is("p95Ms", $3) }
    END { printf "}" }' "$said"
}

# The same for the summary: a rate, and the 95th percentile.
in_short() {
  awk '
    /^ +(reads|writes)\/s:/ { rate += $2; unit = "iops" }
    /^ +queries:/ { rate = substr($3, 2) + 0; unit = "queriesPerSecond" }
    /^ +95th percentile:/ { p95 = $3 }
    END { printf "%s %.1f %.2f", unit, rate, p95 }' "$said"
}

#   measure NUMBER NAME THREADS
measure() {
  prepare_for "$2"
  begin "$2-$3"
  look_at_members
  started_at=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  set -- "$1" "$2" "$3" --threads="$3" --time="$SSM_secondsPerStep" --percentile=95
  case $2 in
    oltp) on_tables "$4" "$5" "$6" run ;;
    *) on_files --file-block-size=16384 --file-test-mode="$2" "$4" "$5" "$6" run ;;
  esac
  grep -q '^ *95th percentile:' "$said" || fail "sysbench printed no result: $(why_of sysbench)"
  printf '{"name":"%s-%s","startedAt":"%s","threads":%s,"sysbench":%s,"output":%s,"members":[%s]}' \
    "$2" "$3" "$started_at" "$3" "$(as_json)" "$(as_text < "$said")" "$(members)" > "$folder/step-$(printf %03d "$1")"
  in_short > "$scratch/short"
  read -r unit rate p95 < "$scratch/short"
  say "$1 of $step_count: $rate $unit, 95 % in $p95 ms"
  short="${short:+$short,}{\"name\":\"$2-$3\",\"$unit\":$rate,\"p95Ms\":$p95}"
}

check_together
need_sysbench
[ "$SSM_test" = fileio ] || need_server
need_upload
be_alone
remove_left
if ! is_finished "$parameters"; then
  case $SSM_test in
    fileio) use "$SSM_directory=$SSM_totalSizeMiB" ;;
    # Of a row and its index some 300 bytes, and what a server makes for itself.
    oltp) use "$SSM_directory=$((SSM_tables * SSM_tableSize / 3495 + 300))" ;;
  esac
  open_run "$parameters"
  cd "$work" || fail "$work cannot be entered"
  [ "$SSM_test" = fileio ] || start_server "$work/database"
  short=
  number=0
  for name in $step_names; do
    for threads in $(each_of "$SSM_threads"); do
      number=$((number + 1))
      measure "$number" "$name" "$threads"
    done
  done
  this="\"test\":\"$SSM_test\""
  close_run "$this,\"instanceId\":\"${AWS_SSM_INSTANCE_ID:-}\",\"directory\":\"$SSM_directory\",$size" "$this,\"steps\":[$short]"
  begin 'remove server and files'
  cd /
  tidy
fi
upload
report
