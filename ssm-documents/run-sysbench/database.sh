# A database server of one run: MariaDB, or MySQL where that is there. It has data, socket and process of its own, so it does
# not meet one that serves somebody.
# shellcheck shell=sh

socket=$scratch/database.socket
server=
server_process=

find_server() {
  for server in mariadbd /usr/libexec/mariadbd mysqld /usr/libexec/mysqld; do
    command -v "$server" > /dev/null && return
  done
  return 1
}

# On Debian and Ubuntu a package that starts no service.
need_server() {
  begin 'look for a database server'
  find_server && return
  if command -v dnf > /dev/null; then run dnf -q -y install mariadb-server; else need mariadbd mariadb-server-core; fi
  find_server || fail 'neither mariadbd nor mysqld is there: install MariaDB or MySQL'
}

# As root, whose directory it is: a change of user would also undo that it ends with the script. Root alone reaches its socket,
# so it needs no users of its own, and MariaDB then none of its tables.
#   start_server DIRECTORY
start_server() {
  begin 'start a database server'
  run mkdir "$1"
  case $("$server" --no-defaults --version 2> /dev/null) in
    *MariaDB*) set -- "$1" --innodb-stats-persistent=0 ;;
    *) in_time "$server" --no-defaults --initialize-insecure --datadir="$1" --user=root ;;
  esac
  printf 'CREATE DATABASE stripewise;\n' > "$scratch/first.sql"
  rm -f "$socket"
  data=$1
  shift
  # Past the page cache, and with less of its own than there are data: what is measured are the volumes.
  setpriv --pdeathsig KILL "$server" --no-defaults --user=root --datadir="$data" --socket="$socket" --pid-file="$data.pid" \
    --skip-networking --skip-grant-tables --skip-log-bin --init-file="$scratch/first.sql" --innodb-flush-method=O_DIRECT \
    --innodb-buffer-pool-size=128M "$@" > "$scratch/server" 2>&1 < /dev/null &
  server_process=$!
  until [ -S "$socket" ]; do
    kill -0 "$server_process" 2> /dev/null || fail "$server ended: $(grep -i error "$scratch/server" | tail -n 2 | tr '\n' ' ')"
    [ "$(seconds_left)" -gt 0 ] || fail "the time limit of $SSM_timeLimitSeconds s is over"
    sleep 0.2
  done
}

stop_server() {
  [ -n "$server_process" ] || return 0
  kill "$server_process" 2> /dev/null
  tries=150
  while kill -0 "$server_process" 2> /dev/null && [ "$tries" -gt 0 ]; do
    tries=$((tries - 1))
    sleep 0.2
  done
  kill -KILL "$server_process" 2> /dev/null
  wait "$server_process" 2> /dev/null
  server_process=
}
