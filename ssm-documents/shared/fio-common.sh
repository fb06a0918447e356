# Made of core/benchmark by npm run generate:profiles: change it there.
# shellcheck shell=sh

# The beginning of every job file.
fio_common() {
  cat << 'END'
[global]
ioengine=libaio
direct=1
norandommap=1
randrepeat=0
time_based=1
group_reporting=1
exitall_on_error=1
percentile_list=50:90:95:99:99.9
END
}
