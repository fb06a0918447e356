/** A series of bytes per period turned into operations, with an I/O size and a scale that somebody states. */
import { BadInput } from '../errors.ts';
import { bytesFromKiB } from '../units.ts';
import type { SeriesRow } from './series-row.ts';

export interface ByteSeriesImport {
  ioSizeKiB: number;
  /** What the recorded bytes are multiplied by. */
  scale: number;
  direction: 'read' | 'write';
}

/**
 * Rows in the order given, repeated timestamps included: what is odd about them is for the reader to report.
 * @throws BadInput where the I/O size or the scale is not more than 0.
 */
export function importByteSeries(
  points: readonly { epochSeconds: number; bytes: number }[],
  { ioSizeKiB, scale, direction }: ByteSeriesImport,
): SeriesRow[] {
  if (!(ioSizeKiB > 0)) throw new BadInput(`I/O size ${ioSizeKiB} KiB cannot be: give more than 0`);
  if (!(scale > 0)) throw new BadInput(`scale ${scale} cannot be: give more than 0`);
  return points.map(({ epochSeconds, bytes }) => {
    const scaled = bytes * scale;
    const ops = scaled / bytesFromKiB(ioSizeKiB);
    const nothing = { epochSeconds, readOps: 0, writeOps: 0, readBytes: 0, writeBytes: 0 };
    return direction === 'read'
      ? { ...nothing, readOps: ops, readBytes: scaled }
      : { ...nothing, writeOps: ops, writeBytes: scaled };
  });
}
