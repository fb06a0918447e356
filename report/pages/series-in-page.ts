/** The series that lie in a page of an audit, as they were packed. */
import type { ResourceSeries } from '../../core/report/resource-series.ts';
import { unpackedSeries } from './pack.ts';

const packedSeries = / data-series="([^"]*)">([^<]*)</g;

/** @param resourceId of those of this resource alone. */
export const seriesInPage = (html: string, resourceId?: string): ResourceSeries[] =>
  [...html.matchAll(packedSeries)].flatMap(([, id = '', packed = '']) =>
    resourceId === undefined || id === resourceId ? [unpackedSeries({ resourceId: id, packed })] : [],
  );
