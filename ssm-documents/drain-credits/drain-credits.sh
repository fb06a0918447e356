#!/bin/sh
# Spends the burst credits of volumes, so that what is measured afterwards is what lasts: reads as fast as it goes until the
# rate of each volume has fallen and stays where it is. It only reads.
document=drain-credits
# shellcheck source=../shared/steps.sh
. "${0%/*}/../shared/steps.sh"
# shellcheck source=../shared/load.sh
. "${0%/*}/../shared/load.sh"
# shellcheck source=../shared/fio.sh
. "${0%/*}/../shared/fio.sh"
# shellcheck source=loads.sh
. "${0%/*}/loads.sh"

parameter volumeIds "$SSM_volumeIds" 'vol-[0-9a-f]{8,17}(,vol-[0-9a-f]{8,17}){0,63}'
parameter access "$SSM_access" 'random|sequential'
parameter baseline "$SSM_baseline" '([1-9][0-9]{0,5})?'
parameter timeLimitSeconds "$SSM_timeLimitSeconds" '[1-9][0-9]{1,4}'

ids=$(each_of "$SSM_volumeIds")
case $SSM_access in
  random) unit=IOPS ;;
  sequential) unit=MiB/s ;;
esac
rates=$scratch/rates

tidy() { :; }

# Lines "DEVICE ID" of $disks, with operations and sectors that were read, and when.
counters() {
  printf '%s\n' "$disks" | while read -r disk id; do
    read -r up _ < /proc/uptime
    awk -v id="$id" -v at="$up" '{ print id, at, $1, $3 }' "/sys/block/$disk/stat" 2> /dev/null
  done
}

# Of a disk that is gone fio reads nothing, for ever; or cannot open it.
see_all() {
  counters > "$scratch/now"
  for id in $ids; do grep -q "^$id " "$scratch/now" || fail "$id went away while it was read"; done
}

# Appends "ID SECONDS RATE" of each volume since the last look.
look() {
  see_all
  awk -v unit="$unit" '
    NR == FNR { at[$1] = $2; reads[$1] = $3; sectors[$1] = $4; next }
    $2 > at[$1] {
      grown = unit == "IOPS" ? $3 - reads[$1] : ($4 - sectors[$1]) / 2048
      printf "%s %.1f %.1f\n", $1, $2 - at[$1], grown / ($2 - at[$1])
    }' "$scratch/last" "$scratch/now" >> "$rates"
  mv "$scratch/now" "$scratch/last"
}

# Of each volume "ID yes|no SECONDS HIGHEST LAST RATES": whether, and after what time, its rate stays, ten looks within 15 % of
# their mean: at the baseline, or where none is given at four fifths of the highest or below. One look may be
# off, so the highest is the mean of three. Rates are means of at most so many pieces of the time.
evaluated() {
  awk -v baseline="$SSM_baseline" -v pieces="$1" '
    { n = ++count[$1]; if (n == 1) order[++ids] = $1; seconds[$1, n] = seconds[$1, n - 1] + $2; rate[$1, n] = $3 }
    END {
      for (i = 1; i <= ids; i++) {
        id = order[i]; n = count[id]; highest = 0; sum = 0; low = high = rate[id, n]
        for (k = 3; k <= n; k++) {
          three = (rate[id, k] + rate[id, k - 1] + rate[id, k - 2]) / 3
          if (three > highest) highest = three
        }
        first = n > 10 ? n - 9 : 1
        for (k = first; k <= n; k++) {
          sum += rate[id, k]
          if (rate[id, k] < low) low = rate[id, k]
          if (rate[id, k] > high) high = rate[id, k]
        }
        mean = sum / (n - first + 1)
        most = baseline == "" ? 0.8 * highest : 1.1 * baseline
        stays = n > 10 && mean > 0 && low >= 0.85 * mean && high <= 1.15 * mean && mean <= most
        list = ""
        step = n > pieces ? n / pieces : 1
        for (from = 0; from < n; from += step) {
          sum = 0; parts = 0
          for (k = int(from) + 1; k <= int(from + step) && k <= n; k++) { sum += rate[id, k]; parts++ }
          if (parts > 0) list = list (list == "" ? "" : ",") sprintf("%.0f", sum / parts)
        }
        printf "%s %s %.0f %.0f %.0f %s\n", id, stays ? "yes" : "no", seconds[id, first], highest, mean, list
      }
    }' "$rates"
}

[ "$(printf '%s\n' "$ids" | sort | uniq -d | wc -l)" -eq 0 ] || fail "a volume is there twice in volumeIds=$SSM_volumeIds"
need_fio
be_alone
begin 'find the volumes'
disks=$(for id in $ids; do
  device=$(device_of "$id") || exit 1
  printf '%s %s\n' "${device#/dev/}" "$id"
done) || exit 1
begin 'read as fast as it goes'
set --
for id in $ids; do set -- "$@" --name="$id" --filename="$(device_of "$id")"; done
: > "$rates"
counters > "$scratch/last"
# shellcheck disable=SC2046 # a word each
start_within "$(seconds_left)" fio --thread --readonly --exitall_on_error=1 --eta=never --ioengine=libaio --direct=1 --invalidate=0 --norandommap=1 \
  --randrepeat=0 --time_based --runtime=86400 --size=100% $(load_of) "$@"
say_every=$((SSM_timeLimitSeconds / 20 + 1))
say_next=$say_every
while [ "$(seconds_left)" -gt 1 ]; do
  sleep 1
  kill -0 "$child" 2> /dev/null || {
    await_child
    ended=$?
    see_all
    fail_of fio "$ended"
  }
  look
  [ -s "$rates" ] || continue
  evaluated 1 > "$scratch/evaluated"
  grep -q ' no ' "$scratch/evaluated" || break
  seconds=$(($(uptime_seconds) - started))
  [ "$seconds" -ge "$say_next" ] || continue
  say_next=$((seconds + say_every))
  say "after $seconds s: $(awk '{ printf "%s%s", (NR > 1 ? ", " : ""), $5 }' "$scratch/evaluated") $unit"
done
end_child
begin 'say what came of it'
# All of the output must fit: 400 rates in all.
evaluated $((400 / $(printf '%s\n' "$ids" | wc -l))) > "$scratch/evaluated"
while read -r id stays after highest last _; do
  if [ "$stays" = yes ]; then
    say "$id: fell from $highest to $last $unit, where it stays since second $after"
  else
    say "$id: no lasting rate in $SSM_timeLimitSeconds s; from $highest it came to $last $unit"
  fi
done < "$scratch/evaluated"
awk -v document="$document" -v unit="$unit" '
  BEGIN { printf "{\"document\":\"%s\",\"unit\":\"%s\",\"volumes\":[", document, unit }
  {
    printf "%s{\"volumeId\":\"%s\",\"plateaued\":%s,\"afterSeconds\":%s,\"highest\":%s,\"last\":%s,\"rates\":[%s]}", \
      (NR > 1 ? "," : ""), $1, ($2 == "yes" ? "true" : "false"), ($2 == "yes" ? $3 : "null"), $4, $5, $6
  }
  END { print "]}" }' "$scratch/evaluated"
