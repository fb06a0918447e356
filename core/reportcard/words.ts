/** What a test did, in words. */
import { figure } from '../figures.ts';
import { mibFromKiB } from '../units.ts';
import type { Access } from './job-options.ts';
import type { LimitName } from './limit-names.ts';

export const accessWords: Readonly<Record<Access, string>> = {
  read: 'sequential reads',
  write: 'sequential writes',
  randread: 'random reads',
  randwrite: 'random writes',
  rw: 'sequential reads and writes',
  randrw: 'random reads and writes',
};

export const limitWords: Readonly<Record<LimitName, string>> = {
  'volume-iops': 'a volume’s IOPS',
  'volume-throughput': 'a volume’s throughput',
  'instance-iops': 'the instance’s IOPS',
  'instance-throughput': 'the instance’s throughput',
};

export const blockText = (kib: number): string =>
  kib > 0 && Number.isInteger(mibFromKiB(kib)) ? `${mibFromKiB(kib)} MiB` : `${figure(kib)} KiB`;
export const usersText = (users: number): string => `${users} ${users === 1 ? 'user' : 'users'}`;
export const loadText = ({ access, blockKiB }: { access: Access; blockKiB: number }): string =>
  `${blockText(blockKiB)} ${accessWords[access]}`;
