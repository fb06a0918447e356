/** Documents inside a page: gzip in base64, which holds nothing that HTML could take for its own. */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { PackedSeries } from '../../core/report/audit-report.ts';
import type { ResourceSeries } from '../../core/report/resource-series.ts';

export const packed = (document: unknown): string =>
  gzipSync(JSON.stringify(document), { level: 9 }).toString('base64');

export const packedSeries = (series: ResourceSeries): PackedSeries => ({
  resourceId: series.resourceId,
  packed: packed(series),
});

/** Of what was packed here. */
export const unpackedSeries = ({ packed: text }: PackedSeries): ResourceSeries =>
  JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString('utf8'));
