/** Any load, any configuration. */
import fc from 'fast-check';
import type { Layout } from '../../../core/plan/layout.ts';
import { type ReplayConfiguration, replayConfiguration } from '../../../core/replay/configuration.ts';
import type { ReplaySeries } from '../../../core/replay/replay.ts';
import { ebs } from '../../fixtures/region-catalog.ts';
import { aLayout } from './loads.ts';

const layouts: fc.Arbitrary<Layout> = fc.oneof(
  fc
    .record({ members: fc.integer({ min: 1, max: 6 }), sizeGiB: fc.integer({ min: 1, max: 1_200 }) })
    .map(({ members, sizeGiB }) =>
      aLayout({ volumeType: 'gp2', kind: members === 1 ? 'single' : 'stripe', members, sizeGiB }),
    ),
  fc
    .record({ kind: fc.constantFrom('raid10', 'raid5'), iops: fc.integer({ min: 3_000, max: 6_000 }) })
    .map(({ kind, iops }) => aLayout({ kind: kind as Layout['kind'], members: 4, iops })),
  fc.constantFrom(
    aLayout(),
    aLayout({ volumeType: 'st1', sizeGiB: 500 }),
    aLayout({ volumeType: 'sc1', kind: 'stripe', members: 3, sizeGiB: 2_000 }),
    aLayout({ volumeType: 'io2', iops: 2_000 }),
    aLayout({ volumeType: 'standard' }),
  ),
);

const instances = fc.option(
  fc
    .record({ base: fc.integer({ min: 100, max: 6_000 }), times: fc.constantFrom(1, 2, 90) })
    .map(({ base, times }) =>
      ebs(base, base / 20, { maximumIops: base * times, maximumMiBps: (base / 20) * times }),
    ),
);

export const configurations: fc.Arbitrary<ReplayConfiguration> = fc
  .record({
    layout: layouts,
    instance: instances,
    percent: fc.integer({ min: 0, max: 100 }),
    stripeEfficiency: fc.constantFrom(1, 0.98),
  })
  .map(({ layout, instance, percent, stripeEfficiency }) =>
    replayConfiguration(layout, {
      instance,
      stripeEfficiency,
      startPercent: { volume: percent, instanceIo: percent, instanceBytes: 100 - percent },
    }),
  );

export interface Minute {
  iops: number;
  ioKiB: number;
  writes: number;
  besideIops: number;
}

export const minutes = (ioKiB: fc.Arbitrary<number>): fc.Arbitrary<Minute[]> =>
  fc.array(
    fc.record({
      iops: fc.oneof(
        { weight: 5, arbitrary: fc.integer({ min: 0, max: 9_000 }) },
        { weight: 2, arbitrary: fc.constantFrom(0, 3_000) },
        { weight: 1, arbitrary: fc.constant(Number.NaN) },
      ),
      ioKiB,
      writes: fc.integer({ min: 0, max: 10 }),
      besideIops: fc.integer({ min: 0, max: 3_000 }),
    }),
    { minLength: 1, maxLength: 60 },
  );

export function seriesOf(of: readonly Minute[], periodSeconds: number, withBeside: boolean): ReplaySeries {
  const besideIops = Float64Array.from(of, (minute) => minute.besideIops);
  return {
    periodSeconds,
    epochSeconds: Float64Array.from(of, (_, i) => i * periodSeconds),
    iops: Float64Array.from(of, ({ iops }) => iops),
    mibps: Float64Array.from(of, ({ iops, ioKiB }) => (iops * ioKiB) / 1024),
    writeShare: Float64Array.from(of, ({ writes }) => writes / 10),
    beside: withBeside ? { iops: besideIops, mibps: besideIops.map((iops) => iops / 64) } : null,
  };
}

const sizes = fc.constantFrom(4, 16, 64, 100, 256, 1_024);
export const loads = fc
  .tuple(minutes(sizes), fc.constantFrom(1, 60, 300), fc.boolean())
  .map(([of, periodSeconds, withBeside]) => seriesOf(of, periodSeconds, withBeside));
