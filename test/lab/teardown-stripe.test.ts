/** teardown-stripe on a kernel: whatever state build-stripe or the host left, it takes away what is ours and nothing else. */
import type { Lab } from '../../local/lab/lab.ts';
import { killedAfter, killedAtStep, startedUntil, type Tool, whileAfter } from './killed-at.ts';
import {
  ask,
  deviceOf,
  diskOf,
  failureOf,
  leftOvers,
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
beforeAll(async () => {
  lab = await startLab('teardown-stripe', disks);
});
afterAll(() => lab?.stop());

// An array, a group on it, and two file systems: all that there can be. Nothing tells it to destroy data, so each build
// shows that the teardown before it left the members blank.
const all = {
  ...{ name: 'all', layout: 'raid0', members: volumeIds(1, 2), initialSync: 'skip' },
  fileSystems: 'data=/srv/all/data:50,wij=/srv/all/wij:50',
};
const build = (parameters: Readonly<Record<string, string>> = all) => lab.run('build-stripe', parameters);
const teardown = (name = 'all', more: Readonly<Record<string, string>> = {}) =>
  lab.run('teardown-stripe', { name, destroy: 'yes', ...more });

test('where there is nothing it says so', async () => {
  const ended = await teardown();
  expect(resultOf(ended)).toEqual({ name: 'all', changed: false, cleared: [], kept: [], missing: [] });
  expect(ended.stdout).toContain('nothing to do: there is no stripe all here');
});

test('a build that was killed as its first step began leaves nothing to take away', async () => {
  await killedAtStep(lab, 'build-stripe', all, 'look for data on the members');
  expect(resultOf(await teardown())).toMatchObject({ changed: false });
  expect(await leftOvers(lab)).toBe('');
});

test.each<Tool>([
  ['mdadm', '--create*'],
  ['lvcreate', '*wij*'],
  ['mkfs.xfs', '*'],
  ['mount', '*'],
])('a build that was killed after %s %s is undone', async (...tool) => {
  expect((await killedAfter(lab, 'build-stripe', all, tool)).exitCode).toBe(137);
  expect(await leftOvers(lab)).toContain('all');
  expect(resultOf(await teardown())).toMatchObject({ changed: true, cleared: [volumeId(1), volumeId(2)] });
  expect(await leftOvers(lab)).toBe('');
});

describe('what is whole', () => {
  beforeAll(() => build());

  test('is not taken away without destroy=yes', async () => {
    expect(failureOf(await teardown('all', { destroy: 'no' }))).toMatch(
      /all data on all go .*: give destroy=yes$/,
    );
  });

  test('nor while somebody uses it, who is named; nothing is changed then', async () => {
    const before = await leftOvers(lab);
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
    expect(await leftOvers(lab)).toBe(before);
  });

  test('nor where it has a volume that we did not make', async () => {
    await ask(lab, 'umount /srv/all/wij; lvrename -qq stripewise_all wij theirs');
    expect(failureOf(await teardown())).toContain('has a volume theirs, which build-stripe did not make');
    await ask(lab, 'lvrename -qq stripewise_all theirs wij');
  });

  test('killed at each step it goes on with the next run, and build-stripe waits for it', async () => {
    for (const step of [
      'take the lines out of /etc/fstab',
      'take volumes and array away',
      'clear the members',
      'end the record',
    ]) {
      const killed = await killedAtStep(lab, 'teardown-stripe', { name: 'all', destroy: 'yes' }, step);
      expect([killed.exitCode, stepsOf(killed).at(-1)]).toEqual([137, step]);
    }
    expect(failureOf(await build())).toContain('teardown-stripe of all was begun and is not finished');
    expect(
      (await killedAfter(lab, 'teardown-stripe', { name: 'all', destroy: 'yes' }, ['wipefs', '--all*']))
        .exitCode,
    ).toBe(137);
    expect(resultOf(await teardown())).toMatchObject({ cleared: [volumeId(1), volumeId(2)] });
    expect(await leftOvers(lab)).toBe('');
    expect(resultOf(await teardown())).toMatchObject({ changed: false });
  });
});

const zero = (number: number): string =>
  `for at in 0 1020; do dd if=/dev/zero of=${deviceOf(number)} bs=1M count=4 seek=$at 2>&1; done`;
test('what others have put on a member since stays, and so does a group that has the name of ours', async () => {
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
  expect(ended.stdout).toContain(`${volumeId(1)} stays as it is: nothing of build-stripe is on it, but ext4`);
  expect(await mountsOf(lab)).toBe('/srv/one ext4');
  expect(await ask(lab, 'vgs --noheadings --options vg_name | xargs; cat /etc/fstab')).toBe('stripewise_one');
  await ask(
    lab,
    `umount /srv/one; rmdir /srv/one; vgremove -qq -y stripewise_one; wipefs -qa ${deviceOf(3)}
     wipefs -qa ${deviceOf(1)}; ${zero(1)}; ${zero(3)}`,
  );
});

describe('of a disk that was pulled', () => {
  test('in the middle of a build: that fails and says where; the rest goes, and the disk when it is back', async () => {
    const stripe = { ...all, layout: 'stripe' };
    const ended = await whileAfter(lab, ['build-stripe', stripe], ['lvcreate', '*wij*'], () =>
      lab.vm.detach(volumeId(2)),
    );
    expect(failureOf(ended)).toMatch(/^build-stripe: step "make the (volumes|file systems)" failed: /);
    const gone = await teardown();
    expect(resultOf(gone)).toMatchObject({ cleared: [volumeId(1)], missing: [volumeId(2)] });
    expect(gone.stdout).toContain(`its part of all is still on ${volumeId(2)}`);
    expect(failureOf(await build(stripe))).toContain(`${volumeId(2)} is not attached`);
    await lab.vm.attach(diskOf(2));
    expect(resultOf(await teardown())).toMatchObject({ cleared: [volumeId(2)], missing: [] });
    expect(await leftOvers(lab)).toBe('');
  });

  test('in the middle of teardown, and all there was: nothing stays mounted, and it can be forgotten', async () => {
    resultOf(await build({ ...all, layout: 'single', members: volumeId(2) }));
    await whileAfter(lab, ['teardown-stripe', { name: 'all', destroy: 'yes' }], ['umount', '*'], () =>
      lab.vm.detach(volumeId(2)),
    );
    expect(resultOf(await teardown('all', { missingMembers: 'forget' }))).toMatchObject({
      missing: [volumeId(2)],
    });
    expect(await leftOvers(lab)).toBe('');
    await lab.vm.attach(diskOf(2));
    await ask(lab, `vgremove -qq -f -y stripewise_all; wipefs -qa ${deviceOf(2)}; ${zero(2)}`);
  });

  test('of an array that goes on without it: the build says so', async () => {
    const raid = {
      ...{ ...all, layout: 'raid10', members: volumeIds(1, 2, 3, 4) },
      fileSystems: 'data=/srv/all:100',
    };
    const ended = await whileAfter(lab, ['build-stripe', raid], ['mdadm', '--create*'], () =>
      lab.vm.detach(volumeId(3)),
    );
    expect(failureOf(ended)).toMatch(
      /step "look at the array" failed: md\d+ is mounted, and has lost \/dev\/nvme/,
    );
    await lab.vm.attach(diskOf(3));
    expect(resultOf(await teardown())).toMatchObject({ cleared: [1, 2, 3, 4].map(volumeId) });
    expect(await leftOvers(lab)).toBe('');
  });
});

test('when the power goes in the middle of a build, the next one goes on after the start', async () => {
  for (const tool of [
    ['mkfs.xfs', '*'],
    ['mount', '*'],
  ] as const) {
    await startedUntil(lab, ['build-stripe', all], tool);
    await lab.restart(upTo(disks).toReversed().map(diskOf));
  }
  expect(await mountsOf(lab)).toBe('/srv/all/data xfs');
  expect(resultOf(await build())).toMatchObject({ changed: true });
  expect(await mountsOf(lab)).toBe('/srv/all/data xfs\n/srv/all/wij xfs');
});

test('when the power goes in the middle of a teardown, the next one goes on after the start', async () => {
  for (const tool of [
    ['umount', '*'],
    ['wipefs', '--all*'],
  ] as const) {
    await startedUntil(lab, ['teardown-stripe', { name: 'all', destroy: 'yes' }], tool);
    await lab.restart(upTo(disks).map(diskOf));
  }
  expect(resultOf(await teardown())).toMatchObject({ changed: true, cleared: [volumeId(1), volumeId(2)] });
  expect(await leftOvers(lab)).toBe('');
});
