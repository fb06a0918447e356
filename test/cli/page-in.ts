/** What lies in a page that was written: its data and its series, unpacked as the browser does. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { ResourceSeries } from '../../core/report/resource-series.ts';

const unpacked = (text: string): unknown =>
  JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString('utf8'));

export function pageIn(file: string): Record<string, unknown> {
  const [, data = ''] =
    /<script type="application\/gzip\+base64" id="data">([^<]*)</.exec(readFileSync(file, 'utf8')) ?? [];
  return unpacked(data) as Record<string, unknown>;
}

export function seriesIn(file: string): ResourceSeries[] {
  const all = readFileSync(file, 'utf8').matchAll(/ data-series="[^"]*">([^<]*)</g);
  return [...all].map(([, text = '']) => unpacked(text) as ResourceSeries);
}
