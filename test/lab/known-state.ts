/**
 * States that a test can begin from, so that none takes over what another one left: blank volumes on a host that knows of no
 * stripe, and what a file of tests makes of that once and uses as long as tests leave it as it was.
 */
import type { Lab } from '../../local/lab/lab.ts';
import { unlimited } from '../../local/lab/throttle.ts';
import { type Disk, deviceLink } from '../../local/lab/vm.ts';
import { ask } from './stripes.ts';

/** Ends what uses volumes, and removes all that documents and tests leave on a host. Prints the volumes and their MiB. */
const letGo = `pkill -KILL -f '^/bin/sh (-c )?/var/lib/amazon/ssm/'
pkill -KILL -x 'fio|sysbench|mariadbd|sleep'
awk '$2 != "/" && ($1 ~ "^/dev/(nvme|mapper|md|dm)" || $2 ~ "^/(srv|mnt|opt)/") { print $2 }' /proc/mounts | sort -r |
  while read -r at; do
    fsfreeze --unfreeze "$at"
    umount "$at"
  done
pkill -KILL -f '/var/lib/amazon/ssm/'
mountpoint -q /usr/local/sbin && umount /usr/local/sbin
grep -q ' /usr/bin/sysbench ' /proc/mounts && umount /usr/bin/sysbench
dmsetup ls | grep -v '^No devices' | while read -r name _; do dmsetup remove --retry "$name"; done
for md in /sys/block/md*; do [ ! -e "$md/md" ] || mdadm --stop "/dev/\${md##*/}"; done
: > /etc/fstab
rm -rf /var/lib/stripewise /run/stripewise* /run/hook /run/lvm/*_online/* /srv/* /mnt/* /opt/* /usr/local/bin/* /var/tmp/*
for disk in /sys/block/nvme*; do
  read -r serial < "$disk/device/serial"
  read -r sectors < "$disk/size"
  case $serial in vol*) echo "$serial $((sectors / 2048))" >&3 ;; esac
done
`;
/** What is still there. */
const left = `dmsetup ls | grep -v '^No devices'; grep '^md' /proc/mdstat; grep ' /srv/' /proc/mounts
ls -A /sys/block/nvme*/holders | grep -v -e ':$' -e '^$'; true`;

async function tidied(lab: Lab, disks: readonly Disk[]): Promise<string> {
  const { vm } = lab;
  // From a file, since it ends whoever has such words in its command line.
  await vm.agent.writeFile('/run/let-go.sh', letGo);
  const found = await ask(lab, 'sh /run/let-go.sh 3>&1 > /dev/null 2>&1');
  const sizes = new Map(
    found.split('\n').map((line) => {
      const [serial = '', mib] = line.split(' ');
      return [serial.replace(/^vol/, 'vol-'), Number(mib)] as const;
    }),
  );
  const kept = disks.filter(({ volumeId, sizeMiB }) => sizes.get(volumeId) === sizeMiB);
  for (const volumeId of sizes.keys())
    if (volumeId !== '' && !kept.some((disk) => disk.volumeId === volumeId)) await vm.detach(volumeId);
  const changed = disks.filter((disk) => vm.blank(disk) && kept.includes(disk));
  for (const disk of disks) if (!kept.includes(disk)) await vm.attach(disk);
  for (const { volumeId, throttle } of disks) await vm.modify(volumeId, throttle);
  await vm.limitInstance(unlimited);
  const devices = changed.map(({ volumeId }) => `"$(readlink -f ${deviceLink(volumeId)})"`).join(' ');
  const look =
    devices === ''
      ? ''
      : `for device in ${devices}; do blockdev --rereadpt "$device"; done
udevadm trigger --action=change ${devices}; udevadm settle`;
  return ask(lab, `{ ${look || ':'}\n} > /dev/null 2>&1\n${left}`);
}

/** Brings guest and volumes there: the volumes that are given are attached, blank and limited as it says, and there are no others. */
async function makeBlank(lab: Lab, disks: readonly Disk[]): Promise<void> {
  let why: string;
  try {
    why = await tidied(lab, disks);
    if (why === '') return;
  } catch (error) {
    why = (error as Error).message;
  }
  process.stderr.write(`the guest could not be made blank, and another one is started: ${why}\n`);
  await lab.renew(disks);
}

type Making = () => Promise<unknown>;

/** States of one guest by their names. "blank" is there without being given. */
export class KnownStates {
  private readonly lab: () => Lab;
  private readonly disks: readonly Disk[];
  private readonly makings: Readonly<Record<string, Making>>;
  /** Null where nobody knows. */
  private now: string | null;

  /** @param makings how each is made of blank volumes. @param lab one that was just started with these disks. */
  constructor(lab: () => Lab, disks: readonly Disk[], makings: Readonly<Record<string, Making>> = {}) {
    this.lab = lab;
    this.disks = disks;
    this.makings = makings;
    this.now = 'blank';
  }

  private async begin(name: string): Promise<void> {
    const { now } = this;
    this.now = null;
    if (now === name) return;
    if (now !== 'blank') await makeBlank(this.lab(), this.disks);
    if (name === 'blank') return;
    const make = this.makings[name];
    if (make === undefined) throw new Error(`there is no state ${name}`);
    await make();
  }

  /** The body of a test that begins from a state, and may leave any other. */
  readonly from =
    <Args extends readonly unknown[]>(name: string, body: (...args: Args) => Promise<void>) =>
    async (...args: Args): Promise<void> => {
      await this.begin(name);
      await body(...args);
    };

  /** Of one that leaves the state as it was, where it passes; the next one may use it. */
  readonly reading =
    <Args extends readonly unknown[]>(name: string, body: (...args: Args) => Promise<void>) =>
    async (...args: Args): Promise<void> => {
      await this.begin(name);
      await body(...args);
      this.now = name;
    };
}
