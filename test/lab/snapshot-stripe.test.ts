/** snapshot-stripe on a kernel: EC2 is a stub, freezing is real. Whatever happens, everything can be written to afterwards. */
import type { Lab } from '../../local/lab/lab.ts';
import { afterTool, beforeTool, killedAt, type Point, powerFailsAt, whileAt } from './hooks.ts';
import { KnownStates } from './known-state.ts';
import {
  ask,
  deviceOf,
  diskOf,
  failureOf,
  mountsOf,
  resultOf,
  startLab,
  stepsOf,
  upTo,
  volumeId,
  volumeIds,
} from './stripes.ts';

const disks = 4;
let lab: Lab;
const members = volumeIds(1, 2, 3);
const other = volumeId(4);

/** Does as /var/tmp/aws.does says, while all is frozen. */
const aws = `#!/bin/sh
printf '%s\\n' "$*" >> /var/tmp/aws.calls
case "$*" in
  *describe-snapshots*) echo 'snap-0000000000000000a snap-0000000000000000b'; exit 0 ;;
  *--dry-run*)
    [ ! -e /var/tmp/aws.refuses ] || { echo 'An error occurred (UnauthorizedOperation)' >&2; exit 254; }
    echo 'An error occurred (DryRunOperation) when calling the CreateSnapshots operation' >&2
    exit 254
    ;;
esac
. /var/tmp/aws.does
for number in 1 2 3; do printf 'snap-0000000000000000%s\\tvol-0000000000000000%s\\n' $number $number; done
`;
/** A frozen file system lets nobody write, and such a process cannot be ended before it is thawed. */
const triesToWrite = `for at in data wij; do
  (touch /srv/s/$at/x && touch /var/tmp/written) > /dev/null 2>&1 &
done
sleep 1
ls /var/tmp/written >> /var/tmp/aws.calls 2>&1`;

beforeAll(async () => {
  lab = await startLab('snapshot-stripe', disks);
});
afterAll(() => lab?.stop());

/** A stripe with two file systems, and the stub of EC2. */
const { from, reading } = new KnownStates(() => lab, upTo(disks).map(diskOf), {
  stripe: async () => {
    await lab.vm.agent.writeFile('/usr/local/bin/aws', aws);
    // The power may fail soon.
    await ask(lab, 'chmod 755 /usr/local/bin/aws; sync');
    const fileSystems = 'data=/srv/s/data:50,wij=/srv/s/wij:50';
    resultOf(
      await lab.run('build-stripe', {
        name: 's',
        layout: 'raid5',
        initialSync: 'skip',
        members,
        fileSystems,
      }),
    );
  },
});

const does = async (script: string): Promise<void> => {
  await lab.vm.agent.writeFile('/var/tmp/aws.does', `${script}\n`);
  await ask(lab, 'rm -f /var/tmp/aws.calls /var/tmp/written /var/tmp/aws.refuses');
};
const environment = { AWS_SSM_INSTANCE_ID: 'i-0123456789abcdef0' };
const snapshot = (parameters: Readonly<Record<string, string>> = { name: 's' }) =>
  lab.run('snapshot-stripe', parameters, { environment });
const calls = () => ask(lab, 'cat /var/tmp/aws.calls');
/** At once: what is frozen cannot be frozen. */
const isThawed = async (): Promise<void> => {
  await ask(
    lab,
    'for at in /srv/s/data /srv/s/wij; do fsfreeze --freeze $at && fsfreeze --unfreeze $at || exit 1; done',
  );
  await thawedWithin(10);
};
/** Within a time, everything is written to; and nothing is at work any more. */
const thawedWithin = async (seconds: number): Promise<void> => {
  await ask(lab, `timeout ${seconds} sh -c 'touch /srv/s/data/y && touch /srv/s/wij/y'`);
  await ask(lab, 'flock --wait 10 /run/stripewise.lock true');
};

test(
  'takes exactly the members together while nobody can write, and says which snapshots',
  reading('stripe', async () => {
    await does(triesToWrite);
    const result = resultOf(
      await snapshot({ name: 's', tag: 'owner=team-a', description: 'before-upgrade' }),
    );
    expect(result).toMatchObject({
      ...{ name: 's', instanceId: 'i-0123456789abcdef0', mountPoints: ['/srv/s/data', '/srv/s/wij'] },
      snapshots: [1, 2, 3].map((number) => ({
        snapshotId: `snap-0000000000000000${number}`,
        volumeId: volumeId(number),
      })),
    });
    expect(result['frozenMilliseconds']).toBeGreaterThan(1_000);
    const request = `--region us-east-1 --instance-specification InstanceId=i-0123456789abcdef0,ExcludeBootVolume=true,ExcludeDataVolumeIds=[${other}] --description before-upgrade --tag-specifications ResourceType=snapshot,Tags=[{Key=stripewise:set,Value=${result['set']}},{Key=stripewise:stripe,Value=s},{Key=owner,Value=team-a}] --query Snapshots[].[SnapshotId,VolumeId] --output text`;
    expect((await calls()).split('\n')).toEqual([
      `ec2 create-snapshots --dry-run ${request}`,
      `ec2 create-snapshots ${request}`,
      expect.stringContaining('No such file'),
    ]);
    await thawedWithin(5);
  }),
);

test(
  'by a mount point it takes all that lies on the same volumes',
  reading('stripe', async () => {
    await does(':');
    expect(resultOf(await snapshot({ mountPoints: '/srv/s/wij' }))).toMatchObject({
      mountPoints: ['/srv/s/data', '/srv/s/wij'],
      snapshots: [{}, {}, {}],
    });
    await thawedWithin(5);
  }),
);

test(
  'what cannot work is refused before anything is frozen',
  reading('stripe', async () => {
    await does(':');
    expect(failureOf(await snapshot({}))).toContain('neither name nor mountPoints is given');
    expect(failureOf(await snapshot({ name: 'nosuch' }))).toContain('there is no stripe nosuch here');
    expect(failureOf(await snapshot({ mountPoints: '/srv/s' }))).toContain('nothing is mounted at /srv/s');
    await ask(lab, 'touch /var/tmp/aws.refuses');
    expect(failureOf(await snapshot())).toContain('--dry-run: An error occurred (UnauthorizedOperation)');
    expect(await calls()).not.toContain('\n');
  }),
);

test(
  'what the system needs is never frozen',
  reading('stripe', async () => {
    await does(':');
    await ask(
      lab,
      `mkfs.ext4 -q -F ${deviceOf(4)}
       mount ${deviceOf(4)} /var/log`,
    );
    expect(failureOf(await snapshot({ mountPoints: '/var/log' }))).toContain(
      '/var/log is on what would be frozen: this script needs it to thaw again',
    );
    await ask(lab, `umount /var/log; wipefs -qa ${deviceOf(4)}`);
  }),
);

test(
  'an answer that does not come is not waited for: thawed at the limit, a failure that names what was made',
  reading('stripe', async () => {
    await does('sleep 60');
    expect(failureOf(await snapshot({ name: 's', freezeSeconds: '2' }))).toMatch(
      /EC2 had not answered after 2 s, so the file systems were thawed: snapshots are not consistent\. Made were: snap-0000000000000000a snap-0000000000000000b \(tag stripewise:set=/,
    );
    await isThawed();
  }),
);

test(
  'nor is one good that is of other volumes, or an error',
  reading('stripe', async () => {
    await does(`printf 'snap-0000000000000000f\\tvol-0000000000000000f\\n'`);
    expect(failureOf(await snapshot())).toMatch(
      /not those of the members\. Made were: snap-.* snap-0000000000000000f/,
    );
    await does(`echo 'An error occurred (RequestLimitExceeded)' >&2; exit 254`);
    expect(failureOf(await snapshot())).toContain(
      'ended with status 254: An error occurred (RequestLimitExceeded)',
    );
    await isThawed();
  }),
);

const take = () => snapshot();
test.each([
  ['as it freezes, with none frozen', beforeTool('fsfreeze', '--freeze*/data'), 'freeze'],
  ['with the first of two frozen', afterTool('fsfreeze', '--freeze*/data'), 'freeze'],
  ['while frozen', beforeTool('aws', '*create-snapshots --region*'), 'snapshot'],
  ['as it thaws, with none thawed', beforeTool('fsfreeze', '--unfreeze*/data'), 'thaw'],
  ['with the first of two thawed', afterTool('fsfreeze', '--unfreeze*/data'), 'thaw'],
])(
  'killed %s it is thawed in a moment',
  reading('stripe', async (_: string, point: Point, step: string) => {
    await does(':');
    const killed = await killedAt(lab, point, take);
    expect([killed.signal, stepsOf(killed).at(-1)]).toEqual([9, step]);
    await thawedWithin(5);
  }),
);

test(
  'when the power goes while all is frozen, all is mounted and written to after the start, and the next one works',
  from('stripe', async () => {
    await does(':');
    await powerFailsAt(lab, afterTool('fsfreeze', '--freeze*/wij'), take, upTo(disks).map(diskOf));
    expect(await mountsOf(lab)).toBe('/srv/s/data xfs\n/srv/s/wij xfs');
    await thawedWithin(5);
    await does(':');
    expect(resultOf(await snapshot())).toMatchObject({ snapshots: [{}, {}, {}] });
    await thawedWithin(5);
  }),
);

test(
  'with a member pulled while frozen it fails or ends, and is thawed',
  from('stripe', async () => {
    await does(':');
    const ended = await whileAt(lab, afterTool('fsfreeze', '--freeze*/wij'), take, () =>
      lab.vm.detach(volumeId(3)),
    );
    expect(ended.stdout).toContain('== thaw');
    await thawedWithin(5);
    expect(failureOf(await snapshot())).toContain('a part of them would be no copy of it');
  }),
);
