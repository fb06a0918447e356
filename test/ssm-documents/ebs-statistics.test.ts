/** What EBS volumes counted, read on hosts: bytes of another writer, through a stub of nvme-cli and a replaced ioctl. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { disk, lsblkText, rootDisk } from '../core/stripes/hosts.ts';
import { directory, Host, pathOf, type Stub } from './stub-host.ts';

const root = join(__dirname, '../..');
const python = pathOf('python3') as string;

interface Page {
  magic?: number;
  version?: number;
  counters?: Record<string, string>;
  read?: (string | number)[][];
  write?: (string | number)[][];
  num_of_hists?: number;
  bytes?: number;
}

function writePages(pages: Record<string, Page>): void {
  const asked = Object.entries(pages).map(([path, page]) => ({ path, ...page }));
  const { status, stderr } = spawnSync(python, [join(root, 'test/fixtures/write_log_page.py')], {
    input: JSON.stringify(asked),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

/** A device of the number: its files in /sys, and in /dev what it gives, first and then. */
interface Device {
  first: Page;
  afterwards?: Page;
  model?: string;
  vendor?: string;
  serial?: string;
  diskseq?: string | null;
}

const serialOf = (number: number): string => `vol${number.toString(16).padStart(17, '0')}`;

/** As nvme-cli answers: the first reading of a device, and then the other. */
const nvmeStub: Stub = {
  does: `file="$2"; [ -e "$file.read" ] && file="$file.then"; : > "$2.read"; cat "$file"`,
};

/** A pause in a hurry. */
const short: Record<string, Stub> = { sleep: { does: 'exec sleep 0.3' } };

function hostOf(devices: Record<number, Device>, stubs: Record<string, Stub> = { nvme: nvmeStub }): Host {
  const numbers = Object.keys(devices).map(Number);
  const disks = numbers.map((number) => disk(number, { fstype: 'xfs' }));
  const host = new Host({ lsblk: { prints: lsblkText(rootDisk, ...disks) }, ...short, ...stubs });
  mkdirSync(join(host.root, 'dev'), { recursive: true });
  const pages: Record<string, Page> = {};
  for (const [number, device] of Object.entries(devices)) {
    const {
      first,
      afterwards = first,
      model = 'Amazon Elastic Block Store              ',
      diskseq = number,
    } = device;
    const name = `nvme${number}n1`;
    host.with({
      [`sys/block/${name}/device/model`]: `${model}\n`,
      [`sys/block/${name}/device/serial`]: `${device.serial ?? serialOf(Number(number))}\n`,
      [`sys/block/${name}/device/device/vendor`]: `${device.vendor ?? '0x1d0f'}\n`,
      ...(diskseq === null ? {} : { [`sys/block/${name}/diskseq`]: `${diskseq}\n` }),
    });
    pages[join(host.root, 'dev', name)] = first;
    pages[join(host.root, 'dev', `${name}.then`)] = afterwards;
  }
  writePages(pages);
  return host.with({
    'proc/uptime': '5000.25 1.00\n',
    'proc/sys/kernel/random/boot_id': '0f0e0d0c-0b0a-4908-8706-050403020100\n',
  });
}

interface Statistics {
  reader: string;
  form: string;
  readings: string;
  failed: string;
  leftOut: string;
}
const statisticsOf = ({ document }: { document: Record<string, unknown> }): Statistics =>
  document['ebsStatistics'] as Statistics;

/** 2^53 + 1 and more: numbers that JavaScript and awk cannot hold. */
const large = {
  total_read_ops: '9007199254740993',
  total_write_ops: '18446744073709551615',
  total_read_bytes: '12345678901234567890',
  total_write_bytes: '4294967296',
  total_read_time: '999999',
  total_write_time: '1000000',
  ebs_volume_performance_exceeded_iops: '3240000000',
  ebs_volume_performance_exceeded_tp: '7',
  ec2_instance_performance_exceeded_iops: '0',
  ec2_instance_performance_exceeded_tp: '18014398509481985',
  volume_queue_length: '11',
};

test('counters beyond 2^53 are exact, differences are those between the two readings', () => {
  const first = {
    ...large,
    total_write_ops: '18446744073709551600',
    total_read_bytes: '12345678901234560000',
  };
  const afterwards = { counters: large, num_of_hists: 8 };
  const host = hostOf({ 1: { first: { counters: first, num_of_hists: 8 }, afterwards } });
  const run = host.run();
  expect([run.status, run.stderr]).toEqual([0, '']);
  expect(host.calls.filter((call) => /^(sleep|nvme)/.test(call))).toEqual([
    'sleep 0',
    ...['nvme', 'sleep 3', 'nvme'].map((call) =>
      call === 'nvme'
        ? `nvme get-log ${host.root}/dev/nvme1n1 --namespace-id=1 --log-id=0xd0 --log-len=4096 --raw-binary`
        : call,
    ),
  ]);
  expect(statisticsOf(run)).toEqual({
    reader: 'nvme',
    epochSeconds: expect.any(Number),
    uptimeSeconds: 5_000.25,
    bootId: '0f0e0d0c-0b0a-4908-8706-050403020100',
    form: 'whole',
    readings: expect.stringMatching(
      new RegExp(
        '^nvme1n1 vol00000000000000001 1 1 \\d ' +
          '3240000000,7,0,18014398509481985,11,9007199254740993,18446744073709551615,12345678901234567890,4294967296,999999,1000000 ' +
          '0,0,0,0,0,0,15,7890,0,0,0 - -\\n$',
      ),
    ),
    failed: '',
    leftOut: '',
  });
});

test('of 64 bins those that counted are named, also one that began again at 2^32', () => {
  const bins = (counts: Record<number, number>) =>
    Array.from({ length: 64 }, (_, i) => [64 * i, 64 * (i + 1), counts[i] ?? 0]);
  const first = { read: bins({ 0: 5, 63: 4_294_967_290 }), write: bins({}) };
  const afterwards = { read: bins({ 0: 5, 1: 2, 63: 4 }), write: bins({}) };
  expect(statisticsOf(hostOf({ 1: { first, afterwards } }).run()).readings).toMatch(
    / 64-128:2;4032-4096:10 -\n$/,
  );
});

test('other bins than before, and counters that went backwards, are said as they are', () => {
  const run = hostOf({
    1: {
      first: { read: [[0, 64, 1]], counters: { total_read_ops: '100', total_write_bytes: '5000000' } },
      afterwards: { read: [[0, 32, 9]], counters: { total_read_ops: '4', total_write_bytes: '1' } },
    },
  }).run();
  expect(statisticsOf(run).readings).toMatch(/ 0,0,0,0,0,4,0,0,1,0,0 0,0,0,0,0,-96,0,0,-4999999,0,0 \? -\n$/);
});

test('what is no EBS volume is not read; another page, a short one and a newer one are named', () => {
  const run = hostOf({
    1: { first: {}, model: 'Amazon EC2 NVMe Instance Storage', serial: 'AWS0123456789' },
    2: { first: {}, vendor: '0x144d' },
    3: { first: {}, serial: 'vol0000$(touch x)' },
    4: { first: { magic: 0xec2c0d7e } },
    5: { first: { bytes: 512 } },
    6: { first: { bytes: 0 } },
    7: { first: { version: 9 }, diskseq: null },
  }).run();
  const { readings, failed } = statisticsOf(run);
  expect(failed).toBe('nvme4n1 other-page\nnvme5n1 short-page\nnvme6n1 no-page\n');
  expect(readings).toMatch(/^nvme7n1 vol00000000000000007 - 9 \d 0,.* - -\n$/);
});

test('a device that hangs keeps no other from being read, and is named', () => {
  const does = `case $2 in *nvme2n1) exec sleep 60 ;; esac; ${'does' in nvmeStub ? nvmeStub.does : ''}`;
  const run = hostOf({ 1: { first: {} }, 2: { first: {} } }, { nvme: { does } }).run();
  expect(run.status).toBe(0);
  // `timeout` ended it twice: nothing came.
  expect(statisticsOf(run)).toMatchObject({
    readings: expect.stringMatching(/^nvme1n1 [^\n]*\n$/),
    failed: 'nvme2n1 no-page\n',
  });
});

test('a device whose reader cannot be ended is left behind', () => {
  // As one that waits in the kernel: neither signal ends it, and it keeps what it has open.
  const does = `case $2 in *nvme2n1) trap '' TERM; setsid sleep 30 & sleep 30 ;; esac; ${'does' in nvmeStub ? nvmeStub.does : ''}`;
  const began = Date.now();
  const run = hostOf({ 1: { first: {} }, 2: { first: {} } }, { nvme: { does } }).run();
  expect(Date.now() - began).toBeLessThan(20_000);
  expect(statisticsOf(run)).toMatchObject({
    readings: expect.stringMatching(/^nvme1n1 /),
    failed: 'nvme2n1 no-answer\n',
  });
});

/** A load all of whose counters are large: nothing of it is short. */
const busy = (exceeded: boolean): Page => ({
  counters: { ...large, ...(exceeded ? {} : zeros) },
  read: [[64, 128, 4_000_000_000]],
});
const zeros = Object.fromEntries(
  Object.keys(large).flatMap((name) => (name.includes('exceeded') ? [[name, '0']] : [])),
);

test('128 volumes fit: in a shorter form, and what is left out is named, those without exceeded time first', () => {
  const all = Object.fromEntries(
    Array.from({ length: 128 }, (_, index) => [index + 1, { first: busy(index % 16 === 15) }]),
  );
  const { text, document, status } = hostOf(all).run();
  expect(status).toBe(0);
  expect(text.length).toBeLessThanOrEqual(24_000);
  const { form, readings, leftOut, failed } = statisticsOf({ document });
  const names = (lines: string): string[] => lines.split('\n').flatMap((line) => line.split(' ')[0] || []);
  const read = names(readings);
  const notRead = leftOut === '' ? [] : leftOut.split(' ');
  // On a busy machine some may not answer in the second that a stub has: they are named too.
  const unread = names(failed);
  if (unread.length === 0) expect(form).toBe('exceeded');
  expect([...read, ...notRead, ...unread].sort()).toEqual(
    Object.keys(all)
      .map((number) => `nvme${number}n1`)
      .sort(),
  );
  expect(read).toEqual(
    expect.arrayContaining(
      [16, 32, 48, 64, 80, 96, 112, 128]
        .map((number) => `nvme${number}n1`)
        .filter((name) => !unread.includes(name)),
    ),
  );
});

test('where nothing can read them, it says so; without such a device there is nothing to say', () => {
  const without = { first: {} };
  expect(statisticsOf(hostOf({ 1: without }, {}).run())).toEqual({
    error: 'neither nvme-cli nor python3 is there',
  });
  expect(statisticsOf(new Host({ lsblk: { prints: lsblkText(rootDisk) } }).run())).toBeNull();
});

const compiler = pathOf('cc');
(compiler === null ? test.skip : test)('python3 asks the kernel itself where nvme-cli is not there', () => {
  const library = join(directory.path, 'replaced_ioctl.so');
  const built = spawnSync(compiler as string, [
    ...['-shared', '-fPIC', '-Wall', '-Werror', '-o', library],
    join(root, 'test/fixtures/replaced_ioctl.c'),
  ]);
  expect([built.status, `${built.stderr}`]).toEqual([0, '']);
  const real = spawnSync(python, ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  const python3 = { does: `LD_PRELOAD='${library}' exec '${real.stdout.trim()}' "$@"` };
  const host = hostOf(
    { 1: { first: { counters: large, read: [[0, 64, 3]] } }, 2: { first: {} }, 3: { first: { magic: 1 } } },
    { python3 },
  );
  writeFileSync(join(host.root, 'dev/nvme2n1'), 'hang');
  const run = host.run();
  expect([run.status, run.stderr]).toEqual([0, '']);
  expect(statisticsOf(run)).toMatchObject({
    reader: 'python3',
    readings: expect.stringMatching(
      /^nvme1n1 vol00000000000000001 1 1 \d 3240000000,7,0,18014398509481985,11,.* 0,0,0,0,0,0,0,0,0,0,0 - -\n$/,
    ),
    failed: 'nvme2n1 no-page\nnvme3n1 other-page\n',
  });
});
