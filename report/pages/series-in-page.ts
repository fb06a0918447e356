/** The series that lie in a page of an audit, as they were packed. */
import { escape as escaped } from 'es-toolkit/string';
import { seriesKey } from '../../core/report/audit-report.ts';
import type { ResourceSeries } from '../../core/report/resource-series.ts';
import { unpackedSeries } from './pack.ts';

const packedSeries = / data-series="([^"]*)">([^<]*)</g;

/** @param resourceId of those of this resource alone. */
export function seriesInPage(html: string, resourceId?: string): ResourceSeries[] {
  // As the page has it.
  const demand = resourceId === undefined ? null : escaped(seriesKey(resourceId));
  return [...html.matchAll(packedSeries)].flatMap(([, id = '', packed = '']) =>
    demand === null || id === demand ? [unpackedSeries({ resourceId: id, packed })] : [],
  );
}
