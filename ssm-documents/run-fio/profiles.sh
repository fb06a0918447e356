# Made of core/benchmark by npm run generate:profiles: change it there.
# shellcheck shell=sh

# How many of the other files make a data file.
part_of_file=16

# MiB of the data file.
profile_file_mib() {
  case $SSM_profile/$SSM_variant in
    report-card/full | oltp/full | dss/full | randrw-16k/full | iris-ranread/full | iris-ranwrite/full | drain-credits/full | steady/full) echo 16384 ;;
    report-card/short | oltp/short | dss/short | log/short | randrw-16k/short | iris-ranread/short | iris-ranwrite/short | drain-credits/short | steady/short) echo 64 ;;
    log/full) echo 2048 ;;
  esac
}

# Whose files it has.
profile_places() {
  case $SSM_profile/$SSM_variant in
    report-card/full | report-card/short | oltp/full | oltp/short | dss/full | dss/short | log/full | log/short | randrw-16k/full | randrw-16k/short | iris-ranread/full | iris-ranread/short | drain-credits/full | drain-credits/short | steady/full | steady/short) echo data ;;
    iris-ranwrite/full | iris-ranwrite/short) echo data journal writeImageJournal ;;
  esac
}

# A line each: name, seconds with the time to get going, users.
profile_steps() {
  case $SSM_profile/$SSM_variant in
    report-card/full)
cat << 'END'
randread-8k-1 65 1
randread-8k-8 65 8
randread-8k-16 65 16
randread-8k-32 65 32
randread-8k-64 65 64
read-1m-1 65 1
read-1m-4 65 4
read-1m-8 65 8
read-1m-16 65 16
read-1m-32 65 32
read-1m-64 65 64
write-1k-1 65 1
write-1k-4 65 4
write-1k-16 65 16
write-8k-1 65 1
write-8k-4 65 4
write-8k-16 65 16
write-128k-1 65 1
write-128k-4 65 4
write-128k-16 65 16
END
      ;;
    report-card/short)
cat << 'END'
randread-8k-16 3 16
randread-8k-32 3 32
read-1m-1 3 1
read-1m-8 3 8
write-1k-4 3 4
write-1k-16 3 16
write-128k-4 3 4
write-128k-16 3 16
END
      ;;
    oltp/full)
cat << 'END'
randrw-8k-8 130 8
randrw-8k-16 130 16
randrw-8k-32 130 32
randrw-8k-64 130 64
END
      ;;
    oltp/short)
cat << 'END'
randrw-8k-8 3 8
randrw-8k-32 3 32
END
      ;;
    dss/full)
cat << 'END'
scan-1m-1 130 1
scan-1m-4 130 4
scan-1m-8 130 8
scan-1m-16 130 16
END
      ;;
    dss/short)
cat << 'END'
scan-1m-1 3 1
scan-1m-4 3 4
END
      ;;
    log/full)
cat << 'END'
write-4k-1 130 1
write-16k-1 130 1
write-64k-1 130 1
END
      ;;
    log/short)
cat << 'END'
write-4k-1 3 1
write-64k-1 3 1
END
      ;;
    randrw-16k/full)
cat << 'END'
randrw-16k-10 130 10
END
      ;;
    randrw-16k/short)
cat << 'END'
randrw-16k-10 3 10
END
      ;;
    iris-ranread/full)
cat << 'END'
randread-8k-10 360 10
randread-8k-20 360 20
randread-8k-30 360 30
randread-8k-40 360 40
randread-8k-50 360 50
END
      ;;
    iris-ranread/short)
cat << 'END'
randread-8k-10 3 10
randread-8k-50 3 50
END
      ;;
    iris-ranwrite/full)
cat << 'END'
write-cycles 1760 2
END
      ;;
    iris-ranwrite/short)
cat << 'END'
write-cycles 6 2
END
      ;;
    drain-credits/full)
cat << 'END'
randread-16k-10 1800 10
END
      ;;
    drain-credits/short)
cat << 'END'
randread-16k-10 3 10
END
      ;;
    steady/full)
cat << 'END'
randrw-16k-8 3610 8
END
      ;;
    steady/short)
cat << 'END'
randrw-16k-8 3 8
END
      ;;
  esac
}

# What is the job file's own of a step.
#   profile_job STEP
profile_job() {
  case $SSM_profile/$SSM_variant/$1 in
    report-card/full/randread-8k-1)
cat << 'END'
[global]
runtime=60
ramp_time=5
[randread-8k]
filename=${DATA}
numjobs=1
iodepth=1
size=${FILE_MIB}m
rw=randread
bs=8k
END
      ;;
    report-card/full/randread-8k-8)
cat << 'END'
[global]
runtime=60
ramp_time=5
[randread-8k]
filename=${DATA}
numjobs=8
iodepth=1
size=${FILE_MIB}m
rw=randread
bs=8k
END
      ;;
    report-card/full/randread-8k-16)
cat << 'END'
[global]
runtime=60
ramp_time=5
[randread-8k]
filename=${DATA}
numjobs=16
iodepth=1
size=${FILE_MIB}m
rw=randread
bs=8k
END
      ;;
    report-card/full/randread-8k-32)
cat << 'END'
[global]
runtime=60
ramp_time=5
[randread-8k]
filename=${DATA}
numjobs=32
iodepth=1
size=${FILE_MIB}m
rw=randread
bs=8k
END
      ;;
    report-card/full/randread-8k-64)
cat << 'END'
[global]
runtime=60
ramp_time=5
[randread-8k]
filename=${DATA}
numjobs=64
iodepth=1
size=${FILE_MIB}m
rw=randread
bs=8k
END
      ;;
    report-card/full/read-1m-1)
cat << 'END'
[global]
runtime=60
ramp_time=5
[read-1m]
filename=${DATA}
numjobs=1
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=read
bs=1m
END
      ;;
    report-card/full/read-1m-4)
cat << 'END'
[global]
runtime=60
ramp_time=5
[read-1m]
filename=${DATA}
numjobs=4
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=read
bs=1m
END
      ;;
    report-card/full/read-1m-8)
cat << 'END'
[global]
runtime=60
ramp_time=5
[read-1m]
filename=${DATA}
numjobs=8
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=read
bs=1m
END
      ;;
    report-card/full/read-1m-16)
cat << 'END'
[global]
runtime=60
ramp_time=5
[read-1m]
filename=${DATA}
numjobs=16
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=read
bs=1m
END
      ;;
    report-card/full/read-1m-32)
cat << 'END'
[global]
runtime=60
ramp_time=5
[read-1m]
filename=${DATA}
numjobs=32
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=read
bs=1m
END
      ;;
    report-card/full/read-1m-64)
cat << 'END'
[global]
runtime=60
ramp_time=5
[read-1m]
filename=${DATA}
numjobs=64
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=read
bs=1m
END
      ;;
    report-card/full/write-1k-1)
cat << 'END'
[global]
runtime=60
ramp_time=5
[write-1k]
filename=${DATA}
numjobs=1
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=1k
sync=1
END
      ;;
    report-card/full/write-1k-4)
cat << 'END'
[global]
runtime=60
ramp_time=5
[write-1k]
filename=${DATA}
numjobs=4
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=1k
sync=1
END
      ;;
    report-card/full/write-1k-16)
cat << 'END'
[global]
runtime=60
ramp_time=5
[write-1k]
filename=${DATA}
numjobs=16
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=1k
sync=1
END
      ;;
    report-card/full/write-8k-1)
cat << 'END'
[global]
runtime=60
ramp_time=5
[write-8k]
filename=${DATA}
numjobs=1
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=8k
sync=1
END
      ;;
    report-card/full/write-8k-4)
cat << 'END'
[global]
runtime=60
ramp_time=5
[write-8k]
filename=${DATA}
numjobs=4
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=8k
sync=1
END
      ;;
    report-card/full/write-8k-16)
cat << 'END'
[global]
runtime=60
ramp_time=5
[write-8k]
filename=${DATA}
numjobs=16
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=8k
sync=1
END
      ;;
    report-card/full/write-128k-1)
cat << 'END'
[global]
runtime=60
ramp_time=5
[write-128k]
filename=${DATA}
numjobs=1
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=128k
sync=1
END
      ;;
    report-card/full/write-128k-4)
cat << 'END'
[global]
runtime=60
ramp_time=5
[write-128k]
filename=${DATA}
numjobs=4
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=128k
sync=1
END
      ;;
    report-card/full/write-128k-16)
cat << 'END'
[global]
runtime=60
ramp_time=5
[write-128k]
filename=${DATA}
numjobs=16
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=128k
sync=1
END
      ;;
    report-card/short/randread-8k-16)
cat << 'END'
[global]
runtime=3
ramp_time=0
[randread-8k]
filename=${DATA}
numjobs=16
iodepth=1
size=${FILE_MIB}m
rw=randread
bs=8k
END
      ;;
    report-card/short/randread-8k-32)
cat << 'END'
[global]
runtime=3
ramp_time=0
[randread-8k]
filename=${DATA}
numjobs=32
iodepth=1
size=${FILE_MIB}m
rw=randread
bs=8k
END
      ;;
    report-card/short/read-1m-1)
cat << 'END'
[global]
runtime=3
ramp_time=0
[read-1m]
filename=${DATA}
numjobs=1
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=read
bs=1m
END
      ;;
    report-card/short/read-1m-8)
cat << 'END'
[global]
runtime=3
ramp_time=0
[read-1m]
filename=${DATA}
numjobs=8
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=read
bs=1m
END
      ;;
    report-card/short/write-1k-4)
cat << 'END'
[global]
runtime=3
ramp_time=0
[write-1k]
filename=${DATA}
numjobs=4
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=1k
sync=1
END
      ;;
    report-card/short/write-1k-16)
cat << 'END'
[global]
runtime=3
ramp_time=0
[write-1k]
filename=${DATA}
numjobs=16
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=1k
sync=1
END
      ;;
    report-card/short/write-128k-4)
cat << 'END'
[global]
runtime=3
ramp_time=0
[write-128k]
filename=${DATA}
numjobs=4
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=128k
sync=1
END
      ;;
    report-card/short/write-128k-16)
cat << 'END'
[global]
runtime=3
ramp_time=0
[write-128k]
filename=${DATA}
numjobs=16
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=128k
sync=1
END
      ;;
    oltp/full/randrw-8k-8)
cat << 'END'
[global]
runtime=120
ramp_time=10
[randrw-8k]
filename=${DATA}
numjobs=8
iodepth=1
size=${FILE_MIB}m
rw=randrw
rwmixread=70
bs=8k
END
      ;;
    oltp/full/randrw-8k-16)
cat << 'END'
[global]
runtime=120
ramp_time=10
[randrw-8k]
filename=${DATA}
numjobs=16
iodepth=1
size=${FILE_MIB}m
rw=randrw
rwmixread=70
bs=8k
END
      ;;
    oltp/full/randrw-8k-32)
cat << 'END'
[global]
runtime=120
ramp_time=10
[randrw-8k]
filename=${DATA}
numjobs=32
iodepth=1
size=${FILE_MIB}m
rw=randrw
rwmixread=70
bs=8k
END
      ;;
    oltp/full/randrw-8k-64)
cat << 'END'
[global]
runtime=120
ramp_time=10
[randrw-8k]
filename=${DATA}
numjobs=64
iodepth=1
size=${FILE_MIB}m
rw=randrw
rwmixread=70
bs=8k
END
      ;;
    oltp/short/randrw-8k-8)
cat << 'END'
[global]
runtime=3
ramp_time=0
[randrw-8k]
filename=${DATA}
numjobs=8
iodepth=1
size=${FILE_MIB}m
rw=randrw
rwmixread=70
bs=8k
END
      ;;
    oltp/short/randrw-8k-32)
cat << 'END'
[global]
runtime=3
ramp_time=0
[randrw-8k]
filename=${DATA}
numjobs=32
iodepth=1
size=${FILE_MIB}m
rw=randrw
rwmixread=70
bs=8k
END
      ;;
    dss/full/scan-1m-1)
cat << 'END'
[global]
runtime=120
ramp_time=10
[scan-1m]
filename=${DATA}
numjobs=1
iodepth=4
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=read
bs=1m
END
      ;;
    dss/full/scan-1m-4)
cat << 'END'
[global]
runtime=120
ramp_time=10
[scan-1m]
filename=${DATA}
numjobs=4
iodepth=4
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=read
bs=1m
END
      ;;
    dss/full/scan-1m-8)
cat << 'END'
[global]
runtime=120
ramp_time=10
[scan-1m]
filename=${DATA}
numjobs=8
iodepth=4
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=read
bs=1m
END
      ;;
    dss/full/scan-1m-16)
cat << 'END'
[global]
runtime=120
ramp_time=10
[scan-1m]
filename=${DATA}
numjobs=16
iodepth=4
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=read
bs=1m
END
      ;;
    dss/short/scan-1m-1)
cat << 'END'
[global]
runtime=3
ramp_time=0
[scan-1m]
filename=${DATA}
numjobs=1
iodepth=4
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=read
bs=1m
END
      ;;
    dss/short/scan-1m-4)
cat << 'END'
[global]
runtime=3
ramp_time=0
[scan-1m]
filename=${DATA}
numjobs=4
iodepth=4
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=read
bs=1m
END
      ;;
    log/full/write-4k-1)
cat << 'END'
[global]
runtime=120
ramp_time=10
[write-4k]
filename=${DATA}
numjobs=1
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=4k
sync=1
END
      ;;
    log/full/write-16k-1)
cat << 'END'
[global]
runtime=120
ramp_time=10
[write-16k]
filename=${DATA}
numjobs=1
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=16k
sync=1
END
      ;;
    log/full/write-64k-1)
cat << 'END'
[global]
runtime=120
ramp_time=10
[write-64k]
filename=${DATA}
numjobs=1
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=64k
sync=1
END
      ;;
    log/short/write-4k-1)
cat << 'END'
[global]
runtime=3
ramp_time=0
[write-4k]
filename=${DATA}
numjobs=1
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=4k
sync=1
END
      ;;
    log/short/write-64k-1)
cat << 'END'
[global]
runtime=3
ramp_time=0
[write-64k]
filename=${DATA}
numjobs=1
iodepth=1
size=${SHARE_MIB}m
offset_increment=${SHARE_MIB}m
rw=write
bs=64k
sync=1
END
      ;;
    randrw-16k/full/randrw-16k-10)
cat << 'END'
[global]
runtime=120
ramp_time=10
[randrw-16k]
filename=${DATA}
numjobs=10
iodepth=64
size=${FILE_MIB}m
rw=randrw
rwmixread=50
bs=16k
END
      ;;
    randrw-16k/short/randrw-16k-10)
cat << 'END'
[global]
runtime=3
ramp_time=0
[randrw-16k]
filename=${DATA}
numjobs=10
iodepth=64
size=${FILE_MIB}m
rw=randrw
rwmixread=50
bs=16k
END
      ;;
    iris-ranread/full/randread-8k-10)
cat << 'END'
[global]
runtime=350
ramp_time=10
[randread-8k]
filename=${DATA}
numjobs=10
iodepth=1
size=${FILE_MIB}m
rw=randread
bs=8k
END
      ;;
    iris-ranread/full/randread-8k-20)
cat << 'END'
[global]
runtime=350
ramp_time=10
[randread-8k]
filename=${DATA}
numjobs=20
iodepth=1
size=${FILE_MIB}m
rw=randread
bs=8k
END
      ;;
    iris-ranread/full/randread-8k-30)
cat << 'END'
[global]
runtime=350
ramp_time=10
[randread-8k]
filename=${DATA}
numjobs=30
iodepth=1
size=${FILE_MIB}m
rw=randread
bs=8k
END
      ;;
    iris-ranread/full/randread-8k-40)
cat << 'END'
[global]
runtime=350
ramp_time=10
[randread-8k]
filename=${DATA}
numjobs=40
iodepth=1
size=${FILE_MIB}m
rw=randread
bs=8k
END
      ;;
    iris-ranread/full/randread-8k-50)
cat << 'END'
[global]
runtime=350
ramp_time=10
[randread-8k]
filename=${DATA}
numjobs=50
iodepth=1
size=${FILE_MIB}m
rw=randread
bs=8k
END
      ;;
    iris-ranread/short/randread-8k-10)
cat << 'END'
[global]
runtime=3
ramp_time=0
[randread-8k]
filename=${DATA}
numjobs=10
iodepth=1
size=${FILE_MIB}m
rw=randread
bs=8k
END
      ;;
    iris-ranread/short/randread-8k-50)
cat << 'END'
[global]
runtime=3
ramp_time=0
[randread-8k]
filename=${DATA}
numjobs=50
iodepth=1
size=${FILE_MIB}m
rw=randread
bs=8k
END
      ;;
    iris-ranwrite/full/write-cycles)
cat << 'END'
[global]
runtime=1760
ramp_time=0
[journal]
filename=${JOURNAL}
rw=write
bsrange=4k-4m
iodepth=1
sync=1
size=${PART_MIB}m
thinktime=500000
thinktime_blocks=1
[write-image-journal-1]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
[database-1]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-1
[write-image-journal-2]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-1
startdelay=80
[database-2]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-2
[write-image-journal-3]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-2
startdelay=160
[database-3]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-3
[write-image-journal-4]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-3
startdelay=240
[database-4]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-4
[write-image-journal-5]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-4
startdelay=320
[database-5]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-5
[write-image-journal-6]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-5
startdelay=400
[database-6]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-6
[write-image-journal-7]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-6
startdelay=480
[database-7]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-7
[write-image-journal-8]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-7
startdelay=560
[database-8]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-8
[write-image-journal-9]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-8
startdelay=640
[database-9]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-9
[write-image-journal-10]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-9
startdelay=720
[database-10]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-10
[write-image-journal-11]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-10
startdelay=800
[database-11]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-11
[write-image-journal-12]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-11
startdelay=880
[database-12]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-12
[write-image-journal-13]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-12
startdelay=960
[database-13]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-13
[write-image-journal-14]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-13
startdelay=1040
[database-14]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-14
[write-image-journal-15]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-14
startdelay=1120
[database-15]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-15
[write-image-journal-16]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-15
startdelay=1200
[database-16]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-16
[write-image-journal-17]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-16
startdelay=1280
[database-17]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-17
[write-image-journal-18]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-17
startdelay=1360
[database-18]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-18
[write-image-journal-19]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-18
startdelay=1440
[database-19]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-19
[write-image-journal-20]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-19
startdelay=1520
[database-20]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-20
[write-image-journal-21]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-20
startdelay=1600
[database-21]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-21
[write-image-journal-22]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=database-21
startdelay=1680
[database-22]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=80
wait_for=write-image-journal-22
END
      ;;
    iris-ranwrite/short/write-cycles)
cat << 'END'
[global]
runtime=6
ramp_time=0
[journal]
filename=${JOURNAL}
rw=write
bsrange=4k-4m
iodepth=1
sync=1
size=${PART_MIB}m
thinktime=500000
thinktime_blocks=1
[write-image-journal-1]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=3
[database-1]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=3
wait_for=write-image-journal-1
[write-image-journal-2]
filename=${WRITE_IMAGE_JOURNAL}
rw=write
bs=256k
iodepth=8
size=${PART_MIB}m
new_group=1
time_based=0
runtime=3
wait_for=database-1
startdelay=3
[database-2]
filename=${DATA}
rw=randwrite
bs=8k
iodepth=64
size=${FILE_MIB}m
io_size=${PART_MIB}m
new_group=1
time_based=0
runtime=3
wait_for=write-image-journal-2
END
      ;;
    drain-credits/full/randread-16k-10)
cat << 'END'
[global]
runtime=1800
ramp_time=0
[randread-16k]
filename=${DATA}
numjobs=10
iodepth=16
size=${FILE_MIB}m
rw=randread
bs=16k
END
      ;;
    drain-credits/short/randread-16k-10)
cat << 'END'
[global]
runtime=3
ramp_time=0
[randread-16k]
filename=${DATA}
numjobs=10
iodepth=16
size=${FILE_MIB}m
rw=randread
bs=16k
END
      ;;
    steady/full/randrw-16k-8)
cat << 'END'
[global]
runtime=3600
ramp_time=10
[randrw-16k]
filename=${DATA}
numjobs=8
iodepth=8
size=${FILE_MIB}m
rw=randrw
rwmixread=70
bs=16k
END
      ;;
    steady/short/randrw-16k-8)
cat << 'END'
[global]
runtime=3
ramp_time=0
[randrw-16k]
filename=${DATA}
numjobs=8
iodepth=8
size=${FILE_MIB}m
rw=randrw
rwmixread=70
bs=16k
END
      ;;
  esac
}
