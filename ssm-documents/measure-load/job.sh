# One load: what does not go together, and its job file for fio. Needs steps.sh, results.sh and fio-common.sh.
# shellcheck shell=sh

data=$SSM_directory/$own_directory/data
file_mib=$SSM_fileSizeMiB
share_mib=$((file_mib / SSM_users))
# So long before it is measured, with the same load.
ramp_seconds=2

check_together() {
  [ $((share_mib * 1024)) -ge "$SSM_blockKiB" ] ||
    fail "fileSizeMiB is $file_mib: each of $SSM_users users needs a part of its own that has a block of $SSM_blockKiB KiB"
  [ $((SSM_seconds + ramp_seconds)) -lt "$SSM_timeLimitSeconds" ] ||
    fail "timeLimitSeconds is $SSM_timeLimitSeconds, and the load alone takes $((SSM_seconds + ramp_seconds)) s"
  [ -z "$SSM_iops" ] || [ "$SSM_iops" -ge "$SSM_users" ] ||
    fail "iops is $SSM_iops, and must be one for each of $SSM_users users or more"
}

# Of each user, in bytes: fio's rate_iops knows whole operations alone, and of a few users that is far off. Rounded up: none
# at all would be without end.
#   rate_of PERCENT
rate_of() {
  bytes=$((SSM_iops * $1 * SSM_blockKiB * 1024))
  printf '%s' $(((bytes + 100 * SSM_users - 1) / (100 * SSM_users) + ($1 == 0)))
}

load_job() {
  fio_common
  cat << END
[global]
runtime=$SSM_seconds
ramp_time=$ramp_seconds
[load]
filename=$data
rw=$SSM_access
bs=${SSM_blockKiB}k
numjobs=$SSM_users
iodepth=$SSM_ioDepth
END
  # In sequence each user has a part of its own: on the same, one would read what another just read.
  case $SSM_access in
    rand*) printf 'size=%sm\n' "$file_mib" ;;
    *) printf 'size=%sm\noffset_increment=%sm\n' "$share_mib" "$share_mib" ;;
  esac
  reads=100
  writes=100
  case $SSM_access in *rw)
    printf 'rwmixread=%s\n' "$SSM_readPercent"
    reads=$SSM_readPercent
    writes=$((100 - SSM_readPercent))
    ;;
  esac
  [ -z "$SSM_iops" ] || printf 'rate=%s,%s\n' "$(rate_of "$reads")" "$(rate_of "$writes")"
}
