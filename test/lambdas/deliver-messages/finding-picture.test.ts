/** The load of a finding as a picture, out of the page of the run that saw it. */
import { Unreadable } from '../../../core/errors.ts';
import { findingPicture } from '../../../lambdas/deliver-messages/finding-picture.ts';
import { pageDocument } from '../../../report/pages/document.ts';
import { packedSeries } from '../../../report/pages/pack.ts';
import { aFinding, aNotification, aNotificationBetweenRuns, onStripe } from '../../fixtures/findings.ts';
import { anEnvelope, aSeries } from '../../report/charts/charts.ts';

const hours = anEnvelope(Array.from({ length: 120 }, (_, minute) => 10 * minute));
const page = (...series: ReturnType<typeof aSeries>[]): string =>
  pageDocument({
    ...{ title: 'an audit', client: { script: 'start();', style: '' }, lines: [], data: {} },
    series: series.map(packedSeries),
  });

const asked: string[] = [];
const pictureOf = (
  html: string | null,
  notification = aNotification([aFinding()]),
  { id = 'finding-1', label = null as string | null } = {},
) =>
  findingPicture(notification, id, {
    label,
    readPage: async (key) => {
      asked.push(key);
      return html;
    },
  });
beforeEach(() => {
  asked.length = 0;
});

test('is a PNG with a title and words for who does not see it, named by the finding', async () => {
  const picture = await pictureOf(page(aSeries(hours, { resourceId: 'vol-2' }), aSeries(hours)));
  expect(asked).toEqual(['runs/run-1/report.html']);
  expect(picture?.png.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  expect(picture?.png.readUInt32BE(16)).toBeGreaterThanOrEqual(1_000); // its width
  expect(picture).toMatchObject({
    fileName: 'finding-1.png',
    title: expect.stringContaining('vol-1'),
    altText: expect.stringMatching(/\S{3,}.*IOPS/s),
  });
});

test('the label of the configuration stands on it', async () => {
  const html = page(aSeries(hours));
  const [without, labeled] = [await pictureOf(html), await pictureOf(html, undefined, { label: 'a trial' })];
  const heightOf = (picture: typeof without) => picture?.png.readUInt32BE(20) ?? 0;
  // A line of text, two pixels for each of the drawing.
  expect(heightOf(labeled) - heightOf(without)).toBeGreaterThan(2 * 12);
});

test('where there are hours with throttled minutes they are what it shows', async () => {
  // Three minutes of the second hour.
  const from = hours.startEpochSeconds + 3_600;
  const closeUp = anEnvelope([1, 2, 3], { startEpochSeconds: from, endEpochSeconds: from + 180 });
  const shown = (series: ReturnType<typeof aSeries>) => pictureOf(page(series));
  for (const [picture, range] of [
    [await shown(aSeries(hours)), '2026-11-19 14:00 to 2026-11-19 16:00 UTC'],
    [await shown(aSeries(hours, { closeUp })), '2026-11-19 15:00 to 2026-11-19 15:03 UTC'],
  ] as const) {
    expect(picture?.title).toContain(range);
    expect(picture?.altText).toContain(range);
  }
});

test('of a stripe it is the load of all its volumes, by the name that a person gave it', async () => {
  const resource = onStripe('i-1/a & "b"', { account: '111122223333' });
  const notification = aNotification([aFinding({ resource: { ...resource, name: null } })]);
  const series = aSeries(hours, { resourceId: resource.id, kind: 'stripe' });
  expect(await pictureOf(page(series), notification)).not.toBeNull();
});

test.each([
  ['no page', null],
  ['a page without a series of it', page(aSeries(hours, { resourceId: 'vol-2' }))],
  ['a page of something else', '<html></html>'],
])('%s: there is nothing to draw', async (_, html) => {
  expect(await pictureOf(html)).toBeNull();
});

test('what was seen between two audits, and what this message does not tell, has no page', async () => {
  expect(await pictureOf(page(aSeries(hours)), aNotificationBetweenRuns([aFinding()]))).toBeNull();
  expect(await pictureOf(page(aSeries(hours)), undefined, { id: 'finding-2' })).toBeNull();
  expect(asked).toEqual([]);
});

test('a page that cannot be read is an error, for who asks to go on without', async () => {
  const readPage = async () => {
    throw new Unreadable('s3:GetObject failed');
  };
  const drawing = findingPicture(aNotification([aFinding()]), 'finding-1', { readPage, label: null });
  await expect(drawing).rejects.toThrow(Unreadable);
});
