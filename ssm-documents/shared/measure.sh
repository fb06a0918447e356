# What documents share that measure with fio: writing its files, and one run of it as a step of the result. Needs load.sh,
# fio.sh, results.sh and over-time.sh, $file_mib and $step_count.
# shellcheck shell=sh

# What was never written is read without the disk, and writing it for the first time is slower than any time after.
#   lay FILE MIB
lay() {
  in_time fio --thread --name=lay --filename="$1" --size="$2m" --rw=write --bs=1m --direct=1 --ioengine=libaio --iodepth=16 \
    --fallocate=none --end_fsync=1
  say "$1: $2 MiB"
}

# IOPS, MiB/s and the 50th, 95th and 99th percentiles in ms, of what fio printed. Several jobs that do not run all the time have no rate in
# common but what they did in the whole step. Percentiles cannot be put together: they are the worst of them.
#   in_short SECONDS < fio.json
in_short() {
  awk -v seconds="$1" '
    /"jobname" :/ { jobs++ }
    /"(read|write|trim|sync)" : / { counts = !/"sync"/ }
    /"[a-z]*lat_ns" : / { completion = /"clat_ns"/ }
    counts && /"iops" :/ { iops += $3 }
    counts && /"bw_bytes" :/ { rate += $3 }
    counts && /"total_ios" :/ { operations += $3 }
    counts && /"io_bytes" :/ { bytes += $3 }
    completion && /"(50|95|99).000000" :/ {
      percent = substr($1, 2, 2)
      if ($3 + 0 > worst[percent]) worst[percent] = $3 + 0
    }
    END {
      if (jobs > 1) { iops = operations / seconds; rate = bytes / seconds }
      printf "%.1f %.2f %.3f %.3f %.3f", iops, rate / 1048576, worst["50"] / 1000000, worst["95"] / 1000000, worst["99"] / 1000000
    }'
}

# Runs the job file $scratch/job as a step of the result, of so many. What came out in short goes into $short.
#   measure NUMBER NAME SECONDS USERS
measure() {
  begin "$2"
  export SHARE_MIB=$((file_mib / $4))
  rm -rf "$scratch/fio.json" "$logs"
  mkdir -p "$logs"
  every_ms=$(step_ms "$3")
  look_at_members
  started_at=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  # Where it takes rates more often than it writes them, it leaves out those without operations.
  in_time fio --thread --eta=never --output-format=json+ --output="$scratch/fio.json" --write_iops_log="$logs/step" \
    --write_lat_log="$logs/step" --log_avg_msec="$every_ms" --iopsavgtime="$every_ms" --log_unix_epoch=1 "$scratch/job"
  # What fio has to say besides may stand in the same file.
  sed -n '/^{/,/^}/p' "$scratch/fio.json" > "$scratch/fio"
  [ "$(tail -n 1 "$scratch/fio")" = '}' ] || fail "fio wrote no whole result: $(why_of fio)"
  {
    printf '{"name":"%s","startedAt":"%s","users":%s,"fio":' "$2" "$started_at" "$4"
    cat "$scratch/fio"
    printf ',"members":[%s],"overTime":%s}' "$(members)" "$(over_time "$3")"
  } > "$folder/step-$(printf %03d "$1")"
  rm -rf "$logs"
  in_short "$3" < "$scratch/fio" > "$scratch/short"
  read -r iops mibps p50 p95 p99 < "$scratch/short"
  say "$1 of $step_count: $iops IOPS, $mibps MiB/s, 95 % in $p95 ms"
  short="${short:+$short,}{\"name\":\"$2\",\"iops\":$iops,\"mibps\":$mibps,\"p50Ms\":$p50,\"p95Ms\":$p95,\"p99Ms\":$p99}"
}
