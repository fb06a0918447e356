/** A layout as a file gives it. */
import { layoutFileSchema, layoutOf } from '../../../core/plan/layout-file.ts';
import { aLayout } from '../replay/loads.ts';

test('the layout of an option of a plan, or the option', () => {
  const layout = aLayout({ kind: 'stripe', members: 4 });
  expect(layoutFileSchema.parse(layout)).toEqual(layout);
  expect(layoutFileSchema.parse({ layout, deliveredIops: 12_000, steps: {} })).toEqual(layout);
});

const { sizeGiB: _, ...withoutSize } = aLayout();
const { volumeType: _type, ...withoutType } = aLayout();
const { iops: _iops, throughputMiBps: _mibps, ...withoutFigures } = aLayout();

describe('figures that follow from the type', () => {
  test.each([
    ['gp2', { iops: 1_500, throughputMiBps: 250 }], // 3 x 500
    ['st1', { throughputMiBps: 20 }], // 40 MiB/s a TiB x 500 / 1,024 = 19.5
    ['sc1', { throughputMiBps: 6 }], // 12 a TiB: 5.9
    ['standard', {}],
  ] as const)('can be left out of %s', (volumeType, figures) => {
    const file = layoutFileSchema.parse({ ...withoutFigures, volumeType, sizeGiB: 500 });
    const { layout, ignored } = layoutOf(file, 'region');
    expect(ignored).toEqual([]);
    for (const [name, value] of Object.entries(figures))
      expect(Math.round(layout[name as keyof typeof figures])).toBe(value);
    expect(layout.iops).toBeGreaterThan(0);
  });

  test('that are given and others are said, and those of the type count', () => {
    const file = {
      ...aLayout(),
      volumeType: 'gp2',
      sizeGiB: 500,
      iops: 9_000,
      throughputMiBps: 250,
    } as const;
    expect(layoutOf(file, 'region')).toMatchObject({
      layout: { iops: 1_500, throughputMiBps: 250 },
      ignored: [
        {
          ...{ code: 'ignored-figure', figure: 'iops', given: 9_000 },
          ...{ volumeType: 'gp2', sizeGiB: 500, has: 1_500 }, // 3 x 500
        },
      ],
    });
  });

  test.each([
    ['gp3', ['iops', 'throughputMiBps']],
    ['io2', ['iops']],
  ] as const)('are not those that are bought: %s', (volumeType, missing) => {
    const parsed = layoutFileSchema.safeParse({ ...withoutFigures, volumeType });
    expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toEqual(missing);
  });
});

test.each([
  [
    'a whole plan',
    { need: {}, options: [{ layout: aLayout() }] },
    /whole plan; take .* jq '\.options\[0\]\.layout'/,
  ],
  ['a list', [aLayout()], /a list; give one layout/],
  ['type', { ...withoutType, type: 'gp3' }, /^"type" is called "volumeType" in a layout; rename it$/],
])('%s is named for what it is', (_name, document, message) => {
  expect(layoutFileSchema.safeParse(document).error?.issues.map((issue) => issue.message)).toEqual([
    expect.stringMatching(message),
  ]);
});

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
