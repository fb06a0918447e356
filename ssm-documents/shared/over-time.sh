# What a step did over time, of the logs that fio wrote of it: each job has its own. Needs load.sh.
# shellcheck shell=sh

logs=$scratch/logs

# A point is a second, or as many as make no more than 600 points.
#   step_ms SECONDS
step_ms() { printf '%s000' $((($1 + 599) / 600)); }

# The logs as JSON, as core/report-card/over-time.ts makes it of those that a person has: IOPS of jobs, reads and writes add up;
# latency (of completion, as the percentiles) is their mean, each as often as it had operations. An entry tells of the time
# since the one before it, as fio drifts by some ms; after a gap, in which nothing ended, of one point. The last point is left
# out where fewer wrote of it than of the one before: some had ended. Prints a reason instead, and fails, where it cannot.
#   reduced_logs STEP-MS FILE...
reduced_logs() {
  ms=$1
  shift
  # The first time it looks from when to when they are.
  awk -F ', *' -v step="$ms" '
    function index_at(at,   i) {
      i = at < first ? 0 : int((at - first) / step)
      return i < count ? i : count - 1
    }
    function add(from, to, value,   at, until, start, stop, common, is_most) {
      until = index_at(to)
      for (at = index_at(from); at <= until; at++) {
        start = first + at * step
        stop = at == count - 1 ? end : start + step
        common = (to < stop ? to : stop) - (from > start ? from : start)
        if (common <= 0) continue
        is_most = common > (stop - start) / 2
        if (is_rate) {
          operations[at, key] += value * common / 1000
          if (is_most && !((at, key) in wrote)) { wrote[at, key] = 1; writers[at]++ }
        } else {
          sum[at, key] += value * common
          weight[at, key] += common
          if (is_most) has_latency[at] = 1
        }
      }
    }
    FNR == 1 {
      job = FILENAME
      is_rate = job ~ /_iops\.[0-9]+\.log$/
      sub(/^.*_[a-z]+\./, "", job)
    }
    NF < 4 || $1 !~ /^[0-9]+$/ || $2 !~ /^[0-9]+$/ || $3 !~ /^[0-2]$/ {
      trouble = "line " FNR " of " FILENAME " is none of fio"
      exit
    }
    {
      key = job " " $3
      before = pass " " is_rate " " key
      gap = before in last ? $1 - last[before] : 0
      last[before] = $1
      from = $1 - (gap > 0 && gap < 1.5 * step ? gap : step)
    }
    pass == 1 && is_rate {
      keys[key] = 1
      if (!rates++ || from < first) first = from
      if ($1 > end) end = $1
    }
    pass == 1 { next }
    !count {
      if (rates) count = int((end - first) / step + 0.5)
      if (count < 1) trouble = "the logs have no whole point"
      if (count > 700) trouble = "the times of the logs are too far apart"
      if (trouble) exit
    }
    { add(from, $1, $2) }
    END {
      if (!trouble && !count) trouble = "the logs are empty"
      if (trouble) { print trouble; exit 1 }
      kept = count - (count > 1 && writers[count - 1] + 0 < writers[count - 2] + 0)
      for (at = 0; at < kept; at++) {
        total = timed = waited = 0
        for (key in keys) if ((at, key) in operations) {
          total += operations[at, key]
          if (!((at, key) in weight)) continue
          timed += operations[at, key]
          waited += operations[at, key] * sum[at, key] / weight[at, key]
        }
        seconds = (at == count - 1 ? end - first - at * step : step) / 1000
        comma = at ? "," : ""
        iops = iops comma (total == 0 && has_latency[at] ? "null" : sprintf("%.1f", total / seconds))
        latency = latency comma (timed == 0 ? "null" : sprintf("%.4f", waited / timed / 1000000))
      }
      printf "{\"secondsPerPoint\":%d,\"iops\":[%s],\"latencyMs\":[%s]}", step / 1000, iops, latency
    }' pass=1 "$@" pass=2 "$@"
}

# Of the step that just ended, as JSON; null, and on standard error why, where its logs are missing or odd: it counts without.
#   over_time SECONDS
over_time() {
  if ! ls "$logs"/step_iops.*.log "$logs"/step_clat.*.log > /dev/null 2>&1; then
    reduced='fio wrote no logs'
  elif reduced=$(reduced_logs "$(step_ms "$1")" "$logs"/step_iops.*.log "$logs"/step_clat.*.log); then
    printf '%s' "$reduced"
    return
  fi
  printf '%s: step "%s" has no IOPS and latency over time: %s\n' "$document" "$step" "$reduced" >&2
  printf null
}
