/** Hosts as lsblk, device-mapper and md tell of them. */

export interface Listed {
  name: string;
  type: string;
  serial?: string | null;
  fstype?: string | null;
  mountpoint?: string | null;
  children?: Listed[];
}

const device = (name: string, type: string, more: Partial<Listed> = {}): Listed => ({
  name,
  type,
  serial: null,
  fstype: null,
  mountpoint: null,
  ...more,
});

/** An EBS volume on Nitro: its serial number is its id without the dash. */
export const disk = (number: number, more: Partial<Listed> = {}): Listed =>
  device(`nvme${number}n1`, 'disk', { serial: `vol${hex(number)}`, ...more });
const hex = (number: number): string => number.toString(16).padStart(17, '0');
export const volumeId = (number: number): string => `vol-${hex(number)}`;
export const ids = (...numbers: number[]): string[] => numbers.map(volumeId);

export const part = (name: string, more: Partial<Listed> = {}): Listed => device(name, 'part', more);
export const lvm = (name: string, more: Partial<Listed> = {}): Listed => device(name, 'lvm', more);
export const md = (name: string, level: string, more: Partial<Listed> = {}): Listed =>
  device(name, level, more);
export const crypt = (name: string, more: Partial<Listed> = {}): Listed => device(name, 'crypt', more);

/** The root volume: two partitions, as on Amazon Linux 2023. */
export const rootDisk: Listed = disk(0, {
  children: [
    part('nvme0n1p1', { fstype: 'xfs', mountpoint: '/' }),
    part('nvme0n1p127'),
    part('nvme0n1p128', { fstype: 'vfat', mountpoint: '/boot/efi' }),
  ],
});

/** As lsblk of util-linux 2.37 prints it. */
export const lsblkText = (...blockdevices: Listed[]): string => JSON.stringify({ blockdevices }, null, 3);

/** As lsblk of util-linux 2.30 (Amazon Linux 2) prints it: a device a line. */
export const oldLsblkText = (...blockdevices: Listed[]): string => {
  const line = ({ children, ...own }: Listed): string =>
    `      ${JSON.stringify(own).slice(0, -1)}${children === undefined ? '' : `,\n         "children": [\n${children.map(line).join(',\n')}\n         ]\n      `}}`;
  return `{\n   "blockdevices": [\n${blockdevices.map(line).join(',\n')}\n   ]\n}`;
};

interface Notified {
  lsblk: string;
  /** Null: the host has no device of it. */
  dmsetup?: string | null;
  md?: string;
}

/** As describe-stripes.sh prints it. */
export const hostDocument = ({ lsblk, dmsetup = null, md: arrays = '' }: Notified): string =>
  JSON.stringify({
    version: 1,
    lsblk: { output: lsblk },
    dmsetup: dmsetup === null ? null : { output: dmsetup },
    md: arrays,
  });

/** Data of a database on a striped logical volume of four, chunks of 64 KiB (128 sectors). */
export const lvmStripe = (stripe: Listed = lvm('data-data', { fstype: 'xfs', mountpoint: '/data' })) => ({
  lsblk: lsblkText(
    rootDisk,
    ...[1, 2, 3, 4].map((number) => disk(number, { fstype: 'LVM2_member', children: [stripe] })),
  ),
  dmsetup: `${stripe.name}: 0 838860800 striped 4 128 259:1 2048 259:2 2048 259:3 2048 259:4 2048\n`,
});
