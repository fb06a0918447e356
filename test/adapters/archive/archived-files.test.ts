/** Which files of an archive may hold a resource: by their keys alone, and the same that their manifests say. */
import { filesOfResource } from '../../../adapters/archive/archived-files.ts';
import { chooseLayout, type DayLayout, metricsPlace, slotsOf } from '../../../core/archive/keys.ts';

const target = { account: '111122223333', region: 'eu-central-1' };
const other = { account: '111122223333', region: 'us-east-1' };
const idOf = (n: number): string => `vol-${String(n).padStart(17, '0')}`;
const placesOf = (layout: DayLayout, of = target) =>
  slotsOf('2026-11-23', of, layout).flatMap(({ key }) => metricsPlace(key) ?? []);

test('a day of 600 volumes has three parts; a volume is in one, by its key as by the manifest', () => {
  const layout = chooseLayout(Array.from({ length: 600 }, (_, n) => idOf(n)));
  const slots = slotsOf('2026-11-23', target, layout);
  expect(slots.map(({ key }) => key.split('/').at(-1))).toEqual([
    '0001.parquet',
    `0002-${idOf(200)}.parquet`,
    `0003-${idOf(400)}.parquet`,
  ]);
  const files = [...placesOf(layout), ...placesOf(layout, other)].reverse();
  for (const id of ['a', idOf(0), idOf(199), idOf(200), idOf(399), idOf(400), idOf(599), 'z']) {
    const bySlots = slots.filter(({ firstId, endId }) => id >= firstId && (endId === null || id < endId));
    expect(filesOfResource(files, target, id)).toEqual(bySlots.map(({ key }) => key));
    expect(bySlots).toHaveLength(1);
  }
});

test('the object of a month, and that of a part whose key says no id, may hold any', () => {
  const month = placesOf({ kept: 'month' });
  expect(filesOfResource(month, target, 'vol-1')).toEqual(month.map(({ key }) => key));
  // An id that is none of AWS does not become part of a key.
  const odd = placesOf({ kept: 'day', firstIds: ['', 'a/b'] });
  expect(odd.map(({ key }) => key.split('/').at(-1))).toEqual(['0001.parquet', '0002.parquet']);
  expect(filesOfResource(odd, target, 'vol-1')).toHaveLength(2);
});
