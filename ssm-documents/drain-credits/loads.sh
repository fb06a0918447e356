# Made of core/benchmark by npm run generate:profiles: change it there.
# shellcheck shell=sh

# Arguments of fio.
load_of() {
  case $SSM_access in
    random) echo --rw=randread --bs=16k --numjobs=10 --iodepth=16 ;;
    sequential) echo --rw=read --bs=1m --numjobs=1 --iodepth=16 ;;
  esac
}
