import { BadInput } from '../../../core/errors.ts';
import { type BlockRequest, importBlockTrace } from '../../../core/load/import-block-trace.ts';
import { importByteSeries } from '../../../core/load/import-byte-series.ts';

const settings = { startEpochSeconds: 0, periodSeconds: 60, serviceTimeMs: 1 };
const write = (atSeconds: number, bytes = 4_096): BlockRequest => ({ atSeconds, op: 'write', bytes });

describe('block traces', () => {
  test('I/O in flight together is busy once: two at 0 ms and 0.5 ms keep the disk busy for 1.5 ms', () => {
    const [row] = importBlockTrace([write(0), write(0.0005)], settings);
    expect(row?.idleSeconds).toBeCloseTo(60 - 0.0015, 9);
  });

  test('1,000 writes one after another in a second are busy for that second', () => {
    const [row] = importBlockTrace(
      Array.from({ length: 1_000 }, (_, i) => write(i / 1_000)),
      settings,
    );
    expect(row).toMatchObject({ writeOps: 1_000, readOps: 0, writeBytes: 4_096_000 });
    expect(row?.idleSeconds).toBeCloseTo(59, 6);
  });

  test('an interval that crosses a minute is split between the two', () => {
    const rows = importBlockTrace([write(59.9996), write(61)], { ...settings, serviceTimeMs: 1 });
    expect(rows.map(({ idleSeconds }) => idleSeconds)).toEqual([
      expect.closeTo(60 - 0.0004, 9),
      expect.closeTo(60 - 0.0006 - 0.001, 9),
    ]);
  });

  test('a quiet minute between two busy ones is a row of zeros', () => {
    const rows = importBlockTrace([write(1), { atSeconds: 121, op: 'read', bytes: 512 }], settings);
    expect(rows).toHaveLength(3);
    expect(rows[1]).toMatchObject({ epochSeconds: 60, readOps: 0, writeOps: 0, idleSeconds: 60 });
    expect(rows[2]).toMatchObject({ readOps: 1, readBytes: 512 });
  });

  test.each([
    [[], settings],
    [[write(0)], { ...settings, serviceTimeMs: 0 }],
    [[write(0)], { ...settings, periodSeconds: 0 }],
  ])('%j with %j is refused', (requests, bad) => {
    expect(() => importBlockTrace(requests, bad)).toThrow(BadInput);
  });
});

describe('byte series', () => {
  test('bytes times 8 in I/O of 16 KiB: 163,840 bytes are 80 operations', () => {
    const rows = importByteSeries([{ epochSeconds: 0, bytes: 163_840 }], {
      ioSizeKiB: 16,
      scale: 8,
      direction: 'write',
    });
    // 163,840 x 8 / 16,384
    expect(rows).toEqual([
      { epochSeconds: 0, readOps: 0, readBytes: 0, writeOps: 80, writeBytes: 1_310_720 },
    ]);
  });

  test('a repeated timestamp stays: it is for the reader to report', () => {
    const twice = [0, 0].map((epochSeconds) => ({ epochSeconds, bytes: 1 }));
    expect(importByteSeries(twice, { ioSizeKiB: 1, scale: 1, direction: 'read' })).toHaveLength(2);
  });
});
