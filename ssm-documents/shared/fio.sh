# shellcheck shell=sh

need_fio() {
  begin 'look for fio'
  need fio fio
  version=$(fio --version)
  case ${version#fio-} in
    [3-9].* | [1-9][0-9].*) ;;
    *) fail "fio is of version $version, and must be of 3.0 or a later one" ;;
  esac
  fio --enghelp=libaio > /dev/null 2>&1 && return
  # Amazon Linux has it in a package of its own.
  ! command -v dnf > /dev/null || run dnf -q -y install fio-engine-libaio
  fio --enghelp=libaio > /dev/null 2>&1 || fail 'fio has no engine libaio: install a fio that has it'
}
