/** The tests of documents rest on this: a hook acts in the step that it is named for, and one that is not reached is no pass. */
import type { Lab } from '../../local/lab/lab.ts';
import { afterTool, beforeTool, killedAt, powerFailsAt, whileAt } from './hooks.ts';
import { ask, diskOf, failureOf, resultOf, startLab, stepsOf, volumeId } from './stripes.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await startLab('hooks', 1);
});
afterAll(() => lab?.stop());

const teardown = () => lab.run('teardown-stripe', { name: 'none', destroy: 'yes' });
const build = () =>
  lab.run('build-stripe', {
    ...{ name: 'none', layout: 'single', members: volumeId(1), fileSystems: 'data=/srv/none:100' },
  });

test('a document that ends without coming to the point fails the test, by the name of the hook', async () => {
  const why = /^the hook "after wipefs --all\*" was never reached: the document ended with exit code 0: /;
  const point = afterTool('wipefs', '--all*');
  await expect(killedAt(lab, point, teardown)).rejects.toThrow(why);
  await expect(whileAt(lab, point, teardown, () => {})).rejects.toThrow(why);
  await expect(powerFailsAt(lab, point, teardown, [diskOf(1)])).rejects.toThrow(why);
  // Nothing of it is left for the next one.
  expect(await ask(lab, 'ls -A /usr/local/sbin')).toBe('');
});

test('it acts once, in the step: before a tool has done anything, or when it has done all', async () => {
  const make = ['mkfs.xfs', '*'] as const;
  const content = () =>
    ask(lab, 'wipefs --noheadings --output TYPE /dev/nvme[0-9]*n1 2> /dev/null | grep -c xfs; true');
  for (const [point, made] of [
    [beforeTool(...make), '0'],
    [afterTool(...make), '1'],
  ] as const) {
    const killed = await killedAt(lab, point, build);
    expect([killed.signal, stepsOf(killed).at(-1)]).toEqual([9, 'make the file systems']);
    expect(await content()).toBe(made);
  }
  resultOf(await build());
});

test('while it waits the document stands, and then it goes on', async () => {
  const ended = await whileAt(lab, beforeTool('grep', '*'), teardown, async () => {
    await ask(lab, 'sleep 2; pgrep -f "^/bin/sh /var/lib/amazon/ssm/"');
  });
  expect([ended.exitCode, ended.stderr]).toEqual([0, '']);
  expect(() => failureOf(ended)).toThrow();
});
