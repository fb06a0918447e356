# What the EBS volumes of this host counted themselves since they were attached, read twice with a pause between. Volumes
# are read at the same time: one that hangs keeps no other from being read, and is named.
# shellcheck shell=sh
# shellcheck source=../shared/ebs-log-page.sh
. "${0%/*}/../shared/ebs-log-page.sh"

pause_seconds=3
# From the first reading on; readings that have not come by then do not come.
most_statistics_seconds=25
# Each second so many begin: a host with 128 volumes shall not notice it.
devices_a_second=32

# "nvme1n1 vol0123456789abcdef0 SEQUENCE", a line for each EBS volume. The sequence number is another for each device that
# appears, also under the same name; kernels before 5.15 have none, and "-" stands there.
ebs_devices() {
  for disk in "$root"/sys/block/nvme*n*; do
    name=${disk##*/}
    case $name in *[!a-z0-9]* | *c*) continue ;; esac
    model=
    vendor=
    serial=
    sequence=
    read -r model 2> /dev/null < "$disk/device/model"
    read -r vendor 2> /dev/null < "$disk/device/device/vendor"
    read -r serial 2> /dev/null < "$disk/device/serial"
    read -r sequence 2> /dev/null < "$disk/diskseq"
    if [ "$model" != 'Amazon Elastic Block Store' ] || [ "$vendor" != 0x1d0f ]; then continue; fi
    case $serial in vol????????*) ;; *) continue ;; esac
    case ${serial#vol} in *[!0-9a-f]* | ??????????????????*) continue ;; esac
    case $sequence in '' | *[!0-9]*) sequence=- ;; esac
    printf '%s %s %s\n' "$name" "$serial" "$sequence"
  done
}

# Two readings of a device as one line, or what they are instead of those of a volume. It is short enough to be written at
# once, so that lines of several devices do not mix.
#   two_readings READER NAME SERIAL SEQUENCE
two_readings() {
  first=$(read_page "$1" "$root/dev/$2" | page_words)
  sleep "$pause_seconds"
  second=$(read_page "$1" "$root/dev/$2" | page_words)
  printf '%s\n-\n%s\n' "$first" "$second" | awk -v name="$2" -v serial="$3" -v sequence="$4" \
    -v seconds="$(($(date +%s) - started))" "$page_functions"'
    $1 == "-" { page = 1; next }
    { for (i = 1; i <= NF; i++) word[page + 0, n[page + 0]++] = $i }
    # Exact where it matters: a difference is small.
    function difference(byte) {
      return sprintf("%.0f", (top(1, byte) - top(0, byte)) * 1000000 + rest(1, byte) % 1000000 - rest(0, byte) % 1000000)
    }
    # Bins in which something was counted between the two; "?" where they are not the same bins, or too many.
    function bins(byte,   count, i, from, more, all) {
      count = bins_at(1, byte)
      if (count != bins_at(0, byte)) return "?"
      for (i = 0; i < count; i++) {
        from = byte + 8 + 24 * i
        if (at(0, from) != at(1, from) || at(0, from + 8) != at(1, from + 8)) return "?"
        more = word[1, from / 4 + 4] - word[0, from / 4 + 4]
        if (more == 0) continue
        # It counts to 2^32 and begins again.
        all = all (all == "" ? "" : ";") at(1, from) "-" at(1, from + 8) ":" sprintf("%.0f", more < 0 ? more + 4294967296 : more)
      }
      if (length(all) > 1000) return "?"
      return all == "" ? "-" : all
    }
    END {
      if (n[0] != 1024 || n[1] != 1024) { print "failed", name, (n[0] + n[1] == 0 ? "no-page" : "short-page"); exit }
      if (!is_page(0, n[0]) || !is_page(1, n[1])) { print "failed", name, "other-page"; exit }
      # Exceeded time of volume and instance, queue, then what was read and written.
      order = "7 8 9 10 11 1 2 3 4 5 6"
      split(order, field, " ")
      for (i = 1; i <= 11; i++) {
        last = last (i == 1 ? "" : ",") at(1, 8 * field[i])
        change = change (i == 1 ? "" : ",") difference(8 * field[i])
      }
      print "read", name, serial, sequence, word[1, 1], seconds, last, change, bins(512), bins(2056)
    }'
}

# Lines of devices, then lines of readings, as one JSON object of no more than so many characters: the shorter the fewer
# there are. What is left out is named, those without exceeded time first.
#   joined_readings MOST-CHARACTERS
joined_readings() {
  awk -v most="$1" '
    function line(of, form,   part) {
      split(of, part, " ")
      if (form == "whole") return substr(of, 6) "\\n"
      of = part[2] " " part[3] " " part[4] " " part[5] " " part[6] " "
      if (form == "last") return of part[7] "\\n"
      match(part[7], /^[0-9]+,[0-9]+,[0-9]+,[0-9]+/)
      return of substr(part[7], 1, RLENGTH) "\\n"
    }
    $1 == "device" { name[devices++] = $2; next }
    $1 == "failed" { why[$2] = $3; next }
    $1 == "read" { got[$2] = $0; is_exceeded[$2] = $7 !~ /^0,0,0,0,/ }
    END {
      for (i = 0; i < devices; i++) {
        if (name[i] in got) continue
        failed = failed name[i] " " (name[i] in why ? why[name[i]] : "no-answer") "\\n"
      }
      split("whole last exceeded", forms, " ")
      for (f = 1; f <= 3; f++) {
        size = length(failed)
        for (i = 0; i < devices; i++) if (name[i] in got) size += length(line(got[name[i]], forms[f]))
        if (size <= most) break
      }
      form = forms[f > 3 ? 3 : f]
      # Names of all that may be left out take room too: ten characters each.
      size = length(failed) + (f > 3 ? 11 * devices : 0)
      for (is_first = 1; is_first >= 0; is_first--)
        for (i = 0; i < devices; i++) {
          if (!(name[i] in got) || is_exceeded[name[i]] != is_first) continue
          text = line(got[name[i]], form)
          if (size + length(text) > most) continue
          size += length(text)
          shown[name[i]] = text
        }
      ORS = ""
      print "\"form\":\"" form "\",\"readings\":\""
      for (i = 0; i < devices; i++) if (name[i] in shown) print shown[name[i]]
      print "\",\"failed\":\"" (length(failed) <= most ? failed : "") "\",\"leftOut\":\""
      for (i = 0; i < devices; i++)
        if ((name[i] in got) && !(name[i] in shown)) { print (left++ > 0 ? " " : "") (11 * devices <= most ? name[i] : "?") }
      print "\""
    }'
}

# The statistics in no more than so many characters; null where no device is an EBS volume.
#   statistics MOST-CHARACTERS
statistics() {
  devices=$(ebs_devices)
  if [ -z "$devices" ]; then
    printf 'null'
    return
  fi
  if ! command -v timeout > /dev/null; then
    printf '{"error":"timeout is not there"}'
    return
  fi
  if ! reader=$(page_reader); then
    printf '{"error":"neither nvme-cli nor python3 is there"}'
    return
  fi
  started=$(date +%s)
  up=
  boot=
  read -r up _ 2> /dev/null < "$root/proc/uptime"
  read -r boot 2> /dev/null < "$root/proc/sys/kernel/random/boot_id"
  case $up in '' | *[!0-9.]*) up=null ;; esac
  case $boot in *[!0-9a-f-]*) boot= ;; esac
  # The readers are nobody's children any more: what waits for a device does not keep the script.
  readings=$(
    {
      count=0
      printf '%s\n' "$devices" | while read -r name serial sequence; do
        { sleep "$((count / devices_a_second))" && two_readings "$reader" "$name" "$serial" "$sequence"; } 2> /dev/null &
        count=$((count + 1))
      done
    } | timeout -k 2 "$most_statistics_seconds" cat
  )
  printf '{"reader":"%s","epochSeconds":%s,"uptimeSeconds":%s,"bootId":"%s",%s}' "$reader" "$started" "$up" "$boot" \
    "$(printf '%s\n%s\n' "$(printf '%s\n' "$devices" | sed 's/^/device /')" "$readings" | joined_readings "$(($1 - 250))")"
}
