# What an EBS volume itself counted since it was attached: log page 0xD0 of its NVMe device, 4,096 bytes. It is only read.
# Source of the layout: EBS User Guide, detailed performance statistics; nvme-cli, plugins/amzn. Versions 0 and 1 are known:
# 1 has histograms by size of I/O behind the two that all have.
# shellcheck shell=sh

# For a page, where the kernel listens to it; `timeout` comes after it.
page_seconds=5

# Which tool reads it: nvme-cli, and where it is not there python3, which asks the kernel as nvme-cli does.
page_reader() {
  for tool in nvme python3; do
    command -v "$tool" > /dev/null || continue
    echo "$tool"
    return
  done
  return 1
}

# NVME_IOCTL_ADMIN_CMD with Get Log Page (0x02) of namespace 1: struct nvme_passthru_cmd of linux/nvme_ioctl.h.
page_by_python='
import array, fcntl, struct, sys
page = array.array("B", bytes(4096))
asked = struct.pack("=BBHIIIQQ10I", 2, 0, 0, 1, 0, 0, 0, page.buffer_info()[0], 0, 4096,
                    0xd0 | 1023 << 16, 0, 0, 0, 0, 0, 1000 * int(sys.argv[2]), 0)
with open(sys.argv[1], "rb", buffering=0) as device:
    status = fcntl.ioctl(device, 0xc0484e41, bytearray(asked))
if status != 0:
    sys.exit("NVMe status %d" % status)
sys.stdout.buffer.write(page.tobytes())
'

# The bytes of the page.
#   read_page READER DEVICE
read_page() {
  if [ "$1" = nvme ]; then
    timeout -k 2 10 nvme get-log "$2" --namespace-id=1 --log-id=0xd0 --log-len=4096 --raw-binary
  else
    timeout -k 2 10 python3 -c "$page_by_python" "$2" "$page_seconds"
  fi
}

# Of its bytes the words of 32 bits, as decimal numbers: awk counts exactly with no more.
page_words() { od -A n -v -t u4; }

# For awk: word[page, i] is there. A number of 64 bits has up to 20 digits, and awk counts 15: the last six stand apart.
page_functions='
  function top(page, byte) { return word[page, byte / 4 + 1] * 4294 + int(rest(page, byte) / 1000000) }
  function rest(page, byte) { return word[page, byte / 4 + 1] * 967296 + word[page, byte / 4] }
  function at(page, byte,   high, low) {
    high = top(page, byte)
    low = rest(page, byte) % 1000000
    return high > 0 ? sprintf("%.0f%06d", high, low) : sprintf("%d", low)
  }
  function bins_at(page, byte) { return at(page, byte) + 0 > 64 ? 64 : at(page, byte) + 0 }
  function is_page(page, words) { return words == 1024 && word[page, 0] == 1008973072 }'

# Words of one page as JSON: counters, and of the histograms the bins that have any, each with its bounds in microseconds.
# Nothing where they are no page of EBS.
decoded_log_page() {
  awk "$page_functions"'
    { for (i = 1; i <= NF; i++) word[0, n++] = $i }
    function histogram(byte,   bins, i, from, comma) {
      printf "["
      bins = bins_at(0, byte)
      for (i = 0; i < bins; i++) {
        from = byte + 8 + 24 * i
        if (word[0, from / 4 + 4] == 0) continue
        printf "%s[%s,%s,%s]", comma, at(0, from), at(0, from + 8), word[0, from / 4 + 4]
        comma = ","
      }
      printf "]"
    }
    END {
      if (!is_page(0, n)) exit
      count = split("readOps writeOps readBytes writeBytes readMicroseconds writeMicroseconds volumeIopsExceededMicroseconds volumeThroughputExceededMicroseconds instanceIopsExceededMicroseconds instanceThroughputExceededMicroseconds queueLength", name, " ")
      printf "{\"version\":%s,", word[0, 1]
      for (i = 1; i <= count; i++) printf "\"%s\":%s,", name[i], at(0, 8 * i)
      printf "\"readHistogram\":"
      histogram(512)
      printf ",\"writeHistogram\":"
      histogram(2056)
      printf "}"
    }'
}
