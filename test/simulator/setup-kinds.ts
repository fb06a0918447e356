/**
 * What an instance has in vain by its plan: figures its volumes are paid for and it cannot reach. Written apart from
 * the engine, and plainly: every figure is lowered by one as long as that changes nothing that can be reached. Of io2
 * that is not always the most that can be saved, but here only the price from which on it is reported counts.
 */
import { type VolumeType, volumeLimits } from '../../core/limits/volume-limits.ts';
import type { setupKinds } from './plan.ts';
import { type SimulatedInstance, type SimulatedVolume, volumeTruth } from './simulate.ts';
import { volumeKinds } from './true-kinds.ts';

type SetupKind = (typeof setupKinds)[number];

/** By Region, its prices as a multiple of those of us-east-1; a Region that is not there has none. */
export type PriceFactors = Readonly<Record<string, number>>;
/** What stripewise brings along: nothing in USD can be known elsewhere. */
export const builtInPriceFactors: PriceFactors = { 'us-east-1': 1 };
/** USD a month in us-east-1. */
const usdPerIops = { gp3: 0.005, io1: 0.065 } as const;
const usdPerMiBps = 0.04;
const io2Usd = (iops: number): number => (iops > 64_000 ? 0.03185 : iops > 32_000 ? 0.0455 : 0.065);
const reportedFromUsd = 5;

interface Paid {
  /** It was throttled at its own limit: nobody should be told to lower it. */
  kept: boolean;
  volumeType: VolumeType;
  sizeGiB: number;
  iops: number;
  mibps: number;
}

interface Sums {
  iops: number;
  mibps: number;
}

const sumOf = (volumes: readonly Sums[]): Sums =>
  volumes.reduce((all, { iops, mibps }) => ({ iops: all.iops + iops, mibps: all.mibps + mibps }), {
    iops: 0,
    mibps: 0,
  });

/** One IOPS less, with the throughput that follows; null where that is not legal. */
function lessIops(paid: Paid): { less: Paid; usd: number } | null {
  const { volumeType, sizeGiB, iops, mibps } = paid;
  const less = iops - 1;
  if (volumeType === 'gp3') {
    return less < 3_000 || mibps * 4 > less ? null : { less: { ...paid, iops: less }, usd: usdPerIops.gp3 };
  }
  if (less < 100 || (volumeType !== 'io1' && volumeType !== 'io2')) return null;
  const { baselineMiBps } = volumeLimits({ volumeType, sizeGiB, iops: less, deployment: 'region' });
  const usd = volumeType === 'io1' ? usdPerIops.io1 : io2Usd(iops);
  return { less: { ...paid, iops: less, mibps: baselineMiBps }, usd };
}

function lessMiBps(paid: Paid): { less: Paid; usd: number } | null {
  if (paid.volumeType !== 'gp3' || paid.mibps <= 125) return null;
  return { less: { ...paid, mibps: paid.mibps - 1 }, usd: usdPerMiBps };
}

/** USD a month that lowering saves, where the sums stay what can be reached of them. */
function savedUsd(volumes: readonly Paid[], most: Sums): number {
  const today = sumOf(volumes);
  const need = { iops: Math.min(today.iops, most.iops), mibps: Math.min(today.mibps, most.mibps) };
  const now = [...volumes];
  let saved = 0;
  const lower = (which: (paid: Paid) => boolean, step: typeof lessIops): void => {
    for (const [i, paid] of now.entries()) {
      for (let next = which(paid) && !paid.kept ? step(paid) : null; next !== null; ) {
        const sums = sumOf(now.with(i, next.less));
        if (sums.iops < need.iops || sums.mibps < need.mibps) break;
        now[i] = next.less;
        saved += next.usd;
        next = step(next.less);
      }
    }
  };
  const isGp3 = ({ volumeType }: Paid): boolean => volumeType === 'gp3';
  lower((paid) => !isGp3(paid), lessIops);
  lower(isGp3, lessMiBps);
  lower(isGp3, lessIops);
  return saved;
}

/** What the audit can read of them: a type nobody has heard of has no figures, a shared volume is not this instance's alone. */
const isReadable = ({ plan }: SimulatedVolume): boolean =>
  plan.alsoOn === undefined && !(plan.quirks ?? []).includes('unheard-type');

const isThrottled = ({ limits, ledger }: SimulatedVolume): boolean =>
  ledger !== null &&
  volumeKinds(volumeTruth(limits, ledger)).some(
    (kind) => kind.startsWith('throttled-volume-') || kind === 'micro-burst',
  );

function isUnreachable({ plan, limits, volumes }: SimulatedInstance, factors: PriceFactors): boolean {
  const factor = factors[plan.region];
  if (factor === undefined || plan.outpost === true) return false;
  const paid = volumes.filter(isReadable).map(
    (volume): Paid => ({
      kept: isThrottled(volume),
      volumeType: volume.plan.volumeType,
      sizeGiB: volume.plan.sizeGiB,
      iops: volume.limits.baselineIops,
      mibps: volume.limits.baselineMiBps,
    }),
  );
  const most = { iops: limits.maximumIops, mibps: limits.maximumMiBps };
  return factor * savedUsd(paid, most) >= reportedFromUsd;
}

/** A card whose volumes have more than its share, beside one whose volumes have less. */
function isImbalanced({ limits, volumes }: SimulatedInstance): boolean {
  if (limits.ebsCards < 2) return false;
  const cards = Array.from({ length: limits.ebsCards }, (_, card) =>
    sumOf(
      volumes
        .filter(({ plan }) => plan.ebsCardIndex === card)
        .map(({ limits: { baselineIops, baselineMiBps } }) => ({ iops: baselineIops, mibps: baselineMiBps })),
    ),
  );
  const most = { iops: limits.maximumIops / limits.ebsCards, mibps: limits.maximumMiBps / limits.ebsCards };
  return (['iops', 'mibps'] as const).some(
    (figure) =>
      cards.some((card) => card[figure] > most[figure]) && cards.some((card) => card[figure] < most[figure]),
  );
}

export const setupKindsOf = (instance: SimulatedInstance, factors: PriceFactors): SetupKind[] => [
  ...(isUnreachable(instance, factors) ? (['unreachable-performance'] as const) : []),
  ...(isImbalanced(instance) ? (['ebs-card-imbalance'] as const) : []),
];
