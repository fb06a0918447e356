/** teardown-stripe on a kernel: whatever state build-stripe or the host left, it removes what is ours and nothing else. */
import type { Lab } from '../../local/lab/lab.ts';
import { afterTool, beforeTool, killedAt, powerFailsAt, whileAt } from './hooks.ts';
import { KnownStates } from './known-state.ts';
import {
  ask,
  deviceOf,
  diskOf,
  failureOf,
  mountsOf,
  remaining,
  resultOf,
  startLab,
  stepsOf,
  upTo,
  volumeId,
  volumeIds,
} from './stripes.ts';

const disks = 4;
let lab: Lab;
beforeAll(async () => {
  lab = await startLab('teardown-stripe', disks);
});
afterAll(() => lab?.stop());

// An array, a group on it, and two file systems: all that there can be.
const all = {
  ...{ name: 'all', layout: 'raid0', members: volumeIds(1, 2), initialSync: 'skip' },
  fileSystems: 'data=/srv/all/data:50,wij=/srv/all/wij:50',
};
const build = (parameters: Readonly<Record<string, string>> = all) => lab.run('build-stripe', parameters);
const teardown = (name = 'all', more: Readonly<Record<string, string>> = {}) =>
  lab.run('teardown-stripe', { name, destroy: 'yes', ...more });

const destroyAll = () => teardown();
/** Nothing says that there was a stripe, and the members could be those of another: their ends are zeros. */
async function expectNothingLeft(...members: readonly number[]): Promise<void> {
  expect(await remaining(lab)).toBe('');
  const ends = members.flatMap((number) =>
    [0, 1020].map((mib) => `cmp -n 4194304 -i ${mib * 1024 * 1024}:0 ${deviceOf(number)} /dev/zero`),
  );
  expect(await ask(lab, ends.join(' && '))).toBe('');
}
const { from, reading } = new KnownStates(() => lab, upTo(disks).map(diskOf), {
  whole: async () => resultOf(await build()),
});

test(
  'where there is nothing it says so',
  reading('blank', async () => {
    const ended = await teardown();
    expect(resultOf(ended)).toEqual({ name: 'all', changed: false, cleared: [], kept: [], missing: [] });
    expect(ended.stdout).toContain('nothing to do: there is no stripe all here');
  }),
);

test(
  'a build that was killed in its first step leaves nothing to remove',
  from('blank', async () => {
    const killed = await killedAt(lab, beforeTool('wipefs', '--noheadings*'), () => build());
    expect([killed.signal, stepsOf(killed).at(-1)]).toEqual([9, 'look for data on the members']);
    expect(resultOf(await teardown())).toMatchObject({ changed: false });
    await expectNothingLeft(1, 2);
  }),
);

test.each([
  ['mdadm', '--create*'],
  ['lvcreate', '*wij*'],
  ['mkfs.xfs', '*'],
  ['mount', '*'],
])(
  'a build that was killed after %s %s is undone',
  from('blank', async (tool: string, when: string) => {
    expect((await killedAt(lab, afterTool(tool, when), () => build())).signal).toBe(9);
    expect(await remaining(lab)).toContain('all');
    expect(resultOf(await teardown())).toMatchObject({ changed: true, cleared: [volumeId(1), volumeId(2)] });
    await expectNothingLeft(1, 2);
  }),
);

describe('what is whole', () => {
  test(
    'is not removed without destroy=yes',
    reading('whole', async () => {
      expect(failureOf(await teardown('all', { destroy: 'no' }))).toMatch(
        /all data on all go .*: give destroy=yes$/,
      );
    }),
  );

  test(
    'nor while somebody uses it, who is named; nothing is changed then',
    reading('whole', async () => {
      const found = await remaining(lab);
      const pid = await ask(
        lab,
        `cd /srv/all/wij; sleep 600 > /dev/null 2>&1 < /dev/null & echo $!
         mkdir below; mount -t tmpfs below below`,
      );
      const why = failureOf(await teardown());
      expect(why).toContain(
        `/srv/all/wij is in use by process ${pid} (sleep); the mount /srv/all/wij/below: end that first`,
      );
      await ask(lab, `kill ${pid}; umount /srv/all/wij/below; rmdir /srv/all/wij/below`);
      expect(await remaining(lab)).toBe(found);
    }),
  );

  test(
    'nor where it has a volume that we did not make',
    from('whole', async () => {
      await ask(lab, 'umount /srv/all/wij; lvrename -qq stripewise_all wij theirs');
      expect(failureOf(await teardown())).toContain('has a volume theirs, which build-stripe did not make');
    }),
  );

  test(
    'killed in each step it goes on with the next run, and build-stripe waits for it',
    from('whole', async () => {
      for (const [point, step] of [
        [beforeTool('grep', '*x-stripewise=*'), 'take the lines out of /etc/fstab'],
        [beforeTool('udevadm', 'settle*'), 'take volumes and array away'],
        [beforeTool('wipefs', '--all*'), 'clear the members'],
        [beforeTool('rm', '*/stripes/all'), 'end the record'],
      ] as const) {
        const killed = await killedAt(lab, point, destroyAll);
        expect([killed.signal, stepsOf(killed).at(-1)]).toEqual([9, step]);
      }
      expect(failureOf(await build())).toContain('teardown-stripe of all was begun and is not finished');
      expect((await killedAt(lab, afterTool('wipefs', '--all*'), destroyAll)).signal).toBe(9);
      expect(resultOf(await teardown())).toMatchObject({ cleared: [volumeId(1), volumeId(2)] });
      await expectNothingLeft(1, 2);
      expect(resultOf(await teardown())).toMatchObject({ changed: false });
    }),
  );
});

test(
  'what others have put on a member since stays, and so does a group that has the name of ours',
  from('blank', async () => {
    await ask(lab, `vgcreate -qq -y stripewise_one ${deviceOf(3)}`);
    await lab.vm.detach(volumeId(3));
    const one = { name: 'one', layout: 'linear', members: volumeIds(1, 2), fileSystems: 'data=/srv/one:100' };
    resultOf(await build(one));
    await ask(
      lab,
      `umount /srv/one; vgchange -qq -a n stripewise_one
       wipefs -qa ${deviceOf(1)}; mkfs.ext4 -q -F ${deviceOf(1)} && mount ${deviceOf(1)} /srv/one`,
    );
    await lab.vm.attach(diskOf(3));
    const ended = await teardown('one');
    expect(resultOf(ended)).toMatchObject({ cleared: [volumeId(2)], kept: [volumeId(1)] });
    expect(ended.stdout).toContain(
      `${volumeId(1)} stays as it is: nothing of build-stripe is on it, but ext4`,
    );
    expect(await mountsOf(lab)).toBe('/srv/one ext4');
    expect(await ask(lab, 'vgs --noheadings --options vg_name | xargs; cat /etc/fstab')).toBe(
      'stripewise_one',
    );
  }),
);

describe('of a disk that was pulled', () => {
  test(
    'in the middle of a build: that fails and says where; the rest goes, and the disk when it is back',
    from('blank', async () => {
      const stripe = { ...all, layout: 'stripe' };
      const ended = await whileAt(
        lab,
        afterTool('lvcreate', '*wij*'),
        () => build(stripe),
        () => lab.vm.detach(volumeId(2)),
      );
      expect(failureOf(ended)).toMatch(/^build-stripe: step "make the (volumes|file systems)" failed: /);
      const gone = await teardown();
      expect(resultOf(gone)).toMatchObject({ cleared: [volumeId(1)], missing: [volumeId(2)] });
      expect(gone.stdout).toContain(`its part of all is still on ${volumeId(2)}`);
      expect(failureOf(await build(stripe))).toContain(`${volumeId(2)} is not attached`);
      await lab.vm.attach(diskOf(2));
      expect(resultOf(await teardown())).toMatchObject({ cleared: [volumeId(2)], missing: [] });
      await expectNothingLeft(1, 2);
    }),
  );

  test(
    'in the middle of teardown, and all there was: nothing stays mounted, and it can be forgotten',
    from('blank', async () => {
      resultOf(await build({ ...all, layout: 'single', members: volumeId(2) }));
      await whileAt(lab, afterTool('umount', '*'), destroyAll, () => lab.vm.detach(volumeId(2)));
      expect(resultOf(await teardown('all', { missingMembers: 'forget' }))).toMatchObject({
        missing: [volumeId(2)],
      });
      expect(await remaining(lab)).toBe('');
    }),
  );

  test(
    'of an array that goes on without it: the build says so',
    from('blank', async () => {
      const raid = {
        ...{ ...all, layout: 'raid10', members: volumeIds(1, 2, 3, 4) },
        fileSystems: 'data=/srv/all:100',
      };
      const ended = await whileAt(
        lab,
        afterTool('mdadm', '--create*'),
        () => build(raid),
        () => lab.vm.detach(volumeId(3)),
      );
      expect(failureOf(ended)).toMatch(
        /step "look at the array" failed: md\d+ is mounted, and has lost \/dev\/nvme/,
      );
      await lab.vm.attach(diskOf(3));
      expect(resultOf(await teardown())).toMatchObject({ cleared: [1, 2, 3, 4].map(volumeId) });
      await expectNothingLeft(1, 2, 3, 4);
    }),
  );
});

test(
  'when the power goes in the middle of a build, the next one goes on after the start',
  from('blank', async () => {
    for (const point of [afterTool('mkfs.xfs', '*'), afterTool('mount', '*')])
      await powerFailsAt(lab, point, () => build(), upTo(disks).toReversed().map(diskOf));
    expect(await mountsOf(lab)).toBe('/srv/all/data xfs');
    expect(resultOf(await build())).toMatchObject({ changed: true });
    expect(await mountsOf(lab)).toBe('/srv/all/data xfs\n/srv/all/wij xfs');
  }),
);

test(
  'when the power goes in the middle of a teardown, the next one goes on after the start',
  from('whole', async () => {
    for (const point of [afterTool('umount', '*'), afterTool('wipefs', '--all*')])
      await powerFailsAt(lab, point, destroyAll, upTo(disks).map(diskOf));
    expect(resultOf(await teardown())).toMatchObject({ changed: true, cleared: [volumeId(1), volumeId(2)] });
    await expectNothingLeft(1, 2);
  }),
);
