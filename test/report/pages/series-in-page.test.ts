/** What a page was drawn from, read out of it again. */
import type { ResourceSeries } from '../../../core/report/resource-series.ts';
import { pageDocument } from '../../../report/pages/document.ts';
import { packedSeries } from '../../../report/pages/pack.ts';
import { seriesInPage } from '../../../report/pages/series-in-page.ts';
import { anEnvelope, aSeries } from '../charts/charts.ts';

const seriesOf = (resourceId: string): ResourceSeries => aSeries(anEnvelope([1, null, 3]), { resourceId });
const pageOf = (...series: ResourceSeries[]): string =>
  pageDocument({
    ...{ title: 'an audit', client: { script: 'start();', style: '' }, lines: [] },
    data: { text: ' data-series="vol-1">not base64<' },
    series: series.map(packedSeries),
  });

test('all series of a page, as they were packed', () => {
  const [first, second] = [seriesOf('vol-1'), seriesOf('vol-2')];
  expect(seriesInPage(pageOf(first, second))).toEqual([first, second]);
});

test('those of one resource alone', () => {
  const page = pageOf(seriesOf('vol-1'), seriesOf('vol-11'), seriesOf('vol-2'));
  expect(seriesInPage(page, 'vol-1')).toEqual([seriesOf('vol-1')]);
  expect(seriesInPage(page, 'vol-3')).toEqual([]);
});

test.each(['i-1/a & b', 'i-1/"quoted"', 'i-1/<md0>', "i-1/it's", 'i-1/zero\u200bwidth', 'i-1/\u{1f4be}'])(
  'a stripe by the name that a person gave it: %j',
  (resourceId) => {
    const page = pageOf(seriesOf('i-1/a'), seriesOf(resourceId));
    expect(seriesInPage(page, resourceId)).toEqual([seriesOf(resourceId)]);
  },
);

test('of a page without any there are none', () => {
  expect(seriesInPage(pageOf())).toEqual([]);
  expect(seriesInPage('', 'vol-1')).toEqual([]);
});
