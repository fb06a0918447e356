/** A layout as a file gives it. */
import { layoutFileSchema } from '../../../core/replay/layout-file.ts';
import { aLayout } from './loads.ts';

test('the layout of an option of a plan, or the option', () => {
  const layout = aLayout({ kind: 'stripe', members: 4 });
  expect(layoutFileSchema.parse(layout)).toEqual(layout);
  expect(layoutFileSchema.parse({ layout, deliveredIops: 12_000, steps: {} })).toEqual(layout);
});

const { sizeGiB: _, ...withoutSize } = aLayout();

test.each([
  ['a field too few', withoutSize, 'sizeGiB'],
  ['a field too many', { ...aLayout(), iop: 1 }, ''],
  ['text where a number belongs', { ...aLayout(), iops: '3000' }, 'iops'],
  ['nothing where a number belongs', { ...aLayout(), throughputMiBps: null }, 'throughputMiBps'],
  ['a kind that is none', { ...aLayout(), kind: 'raid6' }, 'kind'],
  ['a type that is none', { ...aLayout(), volumeType: 'gp9' }, 'volumeType'],
  ['no members', { ...aLayout(), members: 0 }, 'members'],
  ['half a member', { ...aLayout(), members: 1.5 }, 'members'],
  ['more than can be attached', { ...aLayout(), kind: 'stripe', members: 128 }, 'members'],
  ['two single volumes', { ...aLayout(), members: 2 }, 'members'],
  ['a stripe of one', { ...aLayout(), kind: 'stripe' }, 'members'],
  ['RAID5 of two', { ...aLayout(), kind: 'raid5', members: 2 }, 'members'],
  ['RAID10 of five', { ...aLayout(), kind: 'raid10', members: 5 }, 'members'],
  ['a list', [aLayout()], ''],
  ['an option without a layout', { layout: null }, ''],
])('%s is refused at its field', (_, document, field) => {
  const parsed = layoutFileSchema.safeParse(document);
  expect(parsed.error?.issues[0]?.path.join('.')).toBe(field);
});
