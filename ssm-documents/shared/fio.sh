# shellcheck shell=sh

need_fio() {
  begin 'look for fio'
  need fio fio
  version=$(fio --version)
  case ${version#fio-} in
    [3-9].* | [1-9][0-9].*) ;;
    *) fail "fio is of version $version, and must be of 3.0 or a later one" ;;
  esac
  # Amazon Linux and its like have engines in packages of their own.
  if command -v dnf > /dev/null && ! fio --enghelp=libaio > /dev/null 2>&1; then
    run dnf -q -y install fio-engine-libaio
  fi
}
