/**
 * Loads of real programs, as shell for the guest. Each is given its own directory and seconds; none is given anything that
 * comes from elsewhere.
 */

export interface ProgramLoad {
  /** What it is, for people. */
  program: string;
  /** Once, on disks without limits: what the load works on. */
  prepare: (directory: string) => string;
  run: (directory: string, seconds: number) => string;
}

const postgres = '/usr/lib/postgresql/15/bin';
const asPostgres = (command: string): string => `runuser -u postgres -- ${command}`;

interface Pgbench {
  /** 100,000 accounts each, about 15 MiB. */
  scale: number;
  clients: number;
  transactionsPerSecond: number;
  /** `simple-update` leaves out the small tables that all clients write to. */
  script: 'tpcb-like' | 'simple-update' | 'select-only';
}

/** A server of its own on the directory, with so little memory that it reads from its disk. */
export function pgbench({ scale, clients, transactionsPerSecond, script }: Pgbench): ProgramLoad {
  const settings = 'shared_buffers=16MB\nmax_wal_size=128MB\ncheckpoint_timeout=60s\njit=off\n';
  const server = (directory: string, what: string): string =>
    asPostgres(
      `${postgres}/pg_ctl -s -w -D ${directory}/db -l ${directory}/log -o '-k ${directory} -c listen_addresses=' ${what}`,
    );
  return {
    program: `pgbench ${script}, ${clients} clients, ${transactionsPerSecond} transactions/s wanted, on PostgreSQL 15 (${scale} x 100,000 accounts)`,
    prepare: (directory) =>
      [
        `chown postgres ${directory}`,
        asPostgres(`${postgres}/initdb -D ${directory}/db -A trust > /dev/null`),
        `printf '${settings.replaceAll('\n', '\\n')}' >> ${directory}/db/postgresql.conf`,
        server(directory, 'start'),
        asPostgres(`${postgres}/createdb -h ${directory} load`),
        asPostgres(`${postgres}/pgbench -q -i -s ${scale} -h ${directory} load`),
      ].join(' && '),
    run: (directory, seconds) =>
      [
        asPostgres(
          `${postgres}/pgbench -n -h ${directory} -c ${clients} -j 2 -b ${script} -R ${transactionsPerSecond} -T ${seconds} load`,
        ),
      ].join(' && '),
  };
}

/** sysbench's reads and writes of OLTP, on a MariaDB of its own. */
export const sysbenchOltp = (threads: number, transactionsPerSecond: number): ProgramLoad => {
  const options = (directory: string): string =>
    `--db-driver=mysql --mysql-socket=${directory}/socket --mysql-user=root --mysql-db=bench --tables=4 --table-size=100000`;
  return {
    program: `sysbench oltp_read_write, ${threads} threads, ${transactionsPerSecond} transactions/s wanted, on MariaDB 10.11 (4 x 100,000 rows)`,
    prepare: (directory) =>
      [
        `mariadb-install-db --no-defaults --user=root --datadir=${directory}/db --auth-root-authentication-method=normal > /dev/null`,
        `{ setsid mariadbd --no-defaults --user=root --datadir=${directory}/db --socket=${directory}/socket --skip-networking --innodb-buffer-pool-size=24M --innodb-log-file-size=64M --innodb-flush-method=O_DIRECT > ${directory}/log 2>&1 < /dev/null & }`,
        `until mariadb --no-defaults --socket=${directory}/socket -e "select 1" > /dev/null 2>&1; do sleep 0.5; done`,
        `mariadb --no-defaults --socket=${directory}/socket -e 'create database bench'`,
        `sysbench oltp_read_write ${options(directory)} prepare`,
      ].join(' && '),
    run: (directory, seconds) =>
      `sysbench oltp_read_write ${options(directory)} --threads=${threads} --rate=${transactionsPerSecond} --time=${seconds} --report-interval=0 run`,
  };
};

/** sysbench's random reads and writes of files, as the published comparison of arrays has them. */
export const sysbenchFiles = (threads: number, operationsPerSecond: number): ProgramLoad => {
  const options = '--file-num=8 --file-total-size=512M --file-block-size=16384 --file-extra-flags=direct';
  return {
    program: `sysbench fileio rndrw, ${threads} threads, ${operationsPerSecond} operations/s wanted, 16 KiB`,
    prepare: (directory) => `cd ${directory} && sysbench fileio ${options} prepare > /dev/null`,
    run: (directory, seconds) =>
      `cd ${directory} && sysbench fileio ${options} --file-test-mode=rndrw --threads=${threads} --rate=${operationsPerSecond} --time=${seconds} run`,
  };
};

interface Fio {
  pattern: 'randread' | 'randrw' | 'read' | 'write';
  blockKiB: number;
  jobs: number;
  depth: number;
  iops: number;
}

/** fio at a pace: what it cannot do in time it does later, as clients that wait. */
export const fioAtPace = ({ pattern, blockKiB, jobs, depth, iops }: Fio): ProgramLoad => {
  const sizeMiB = 512;
  return {
    program: `fio ${pattern}, ${blockKiB} KiB, ${jobs} jobs of depth ${depth}, ${iops} operations/s wanted`,
    prepare: (directory) =>
      `fio --name=lay --filename=${directory}/file --size=${sizeMiB}m --rw=write --bs=1m --direct=1 --ioengine=libaio --iodepth=4 --end_fsync=1 > /dev/null`,
    run: (directory, seconds) =>
      `fio --name=load --filename=${directory}/file --size=${sizeMiB}m --rw=${pattern} --bs=${blockKiB}k --numjobs=${jobs} --iodepth=${depth} --rate_iops=${Math.round(iops / jobs)} --rate_process=poisson --direct=1 --ioengine=libaio --thread --time_based --runtime=${seconds} --norandommap --group_reporting --output-format=json`,
  };
};
