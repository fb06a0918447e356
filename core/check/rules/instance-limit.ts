/** The volumes of an instance together, against what the instance can do: what they cannot reach, and what is paid for and unused. */
import type { EbsFigures } from '../../catalog/instance-types.ts';
import {
  gp3Figures,
  provisionedFigures,
  ssdMiBPerIo,
  type VolumeConfiguration,
  volumeLimits,
} from '../../limits/volume-limits.ts';
import { isPaid, lowerToReach } from '../../plan/cheapest-member.ts';
import { type Rates, slack } from '../../plan/layout.ts';
import type { CheckWayOut } from '../../schemas/check-answer.ts';
import type { CheckedHost } from '../checked.ts';
import { type CheckedVolume, figuresOfConfiguration, refusalOf } from '../checked-volume.ts';
import {
  abilityOf,
  copiesOf,
  findingOf,
  hostRule,
  instanceInstead,
  type RuleContext,
  unknownVolumes,
} from './rule.ts';

const rateNames = ['iops', 'throughputMiBps'] as const;

interface Counted {
  volume: CheckedVolume;
  config: VolumeConfiguration;
}

const countedOf = ({ volumes }: CheckedHost): Counted[] =>
  volumes.flatMap((volume) => (volume.now.known ? [{ volume, config: volume.now.value.config }] : []));

/** What they can do all the time, together. */
function sumOf(configs: readonly VolumeConfiguration[]): Rates {
  const sum: Rates = { iops: 0, throughputMiBps: 0 };
  for (const config of configs) {
    const { baselineIops, baselineMiBps } = volumeLimits(config);
    sum.iops += baselineIops;
    sum.throughputMiBps += baselineMiBps;
  }
  return sum;
}

/** Of the figure that is exceeded; gp3 as it comes, and what follows from size or IOPS, nobody asked for. */
const asksFor: Record<keyof Rates, (config: VolumeConfiguration) => boolean> = {
  iops: (config) =>
    isPaid(config) && (config.volumeType !== 'gp3' || (config.iops ?? 0) > gp3Figures.freeIops),
  throughputMiBps: ({ volumeType, throughputMiBps }) =>
    volumeType === 'gp3' && (throughputMiBps ?? 0) > gp3Figures.freeMiBps,
};

const isAskedFor = (configs: readonly VolumeConfiguration[], together: Rates, limit: Rates): boolean =>
  rateNames.some((name) => together[name] > limit[name] * slack && configs.some(asksFor[name]));

const isAbove = ({ iops, throughputMiBps }: Rates, iopsLimit: number, mibpsLimit: number): boolean =>
  iops > iopsLimit * slack || throughputMiBps > mibpsLimit * slack;

const maximumOf = ({ maximumIops, maximumMiBps }: EbsFigures): Rates => ({
  iops: maximumIops,
  throughputMiBps: maximumMiBps,
});

/** Null: what they can do together, the instance can; or nobody asked for more than there is. */
function exceeded(
  configs: readonly VolumeConfiguration[],
  figures: EbsFigures,
): 'baseline' | 'maximum' | null {
  const together = sumOf(configs);
  if (isAbove(together, figures.maximumIops, figures.maximumMiBps)) return 'maximum';
  const baseline = { iops: figures.baselineIops, throughputMiBps: figures.baselineMiBps };
  return isAskedFor(configs, together, baseline) ? 'baseline' : null;
}

/** By one share for all; null where that is less than a volume can have. */
function loweredToBaseline(counted: readonly Counted[], figures: EbsFigures): VolumeConfiguration[] | null {
  const together = sumOf(counted.map(({ config }) => config));
  const iopsShare = Math.min(1, figures.baselineIops / together.iops);
  const mibpsShare = Math.min(1, figures.baselineMiBps / together.throughputMiBps);
  const lowered = counted.map(({ config }): VolumeConfiguration => {
    if (!isPaid(config)) return config;
    const iops = Math.floor((config.iops ?? gp3Figures.freeIops) * iopsShare);
    if (config.volumeType !== 'gp3') {
      const { minIops } = provisionedFigures[config.volumeType];
      return { ...config, iops: Math.max(minIops, Math.floor(iops * mibpsShare)) };
    }
    const { freeIops, freeMiBps } = gp3Figures;
    const throughput = Math.floor((config.throughputMiBps ?? freeMiBps) * mibpsShare);
    const throughputMiBps = Math.max(freeMiBps, throughput);
    return {
      ...config,
      iops: Math.max(freeIops, iops, Math.min(throughputMiBps / ssdMiBPerIo, config.iops ?? freeIops)),
      throughputMiBps,
    };
  });
  const isLegal = lowered.every((config) => refusalOf(config) === null);
  return isLegal && exceeded(lowered, figures) === null ? lowered : null;
}

const isSame = (a: VolumeConfiguration, b: VolumeConfiguration): boolean =>
  (a.iops ?? gp3Figures.freeIops) === (b.iops ?? gp3Figures.freeIops) &&
  (a.throughputMiBps ?? gp3Figures.freeMiBps) === (b.throughputMiBps ?? gp3Figures.freeMiBps);

function setVolumes(
  host: CheckedHost,
  counted: readonly Counted[],
  to: readonly VolumeConfiguration[],
  { offers }: RuleContext,
): CheckWayOut {
  const before = counted.map(({ config }) => config);
  return {
    code: 'set-volumes',
    changes: counted.flatMap(({ volume, config }, i) => {
      const changed = to[i] as VolumeConfiguration; // of each counted volume one
      const { address, device } = volume;
      return isSame(config, changed) ? [] : [{ address, device, to: figuresOfConfiguration(changed) }];
    }),
    monthlyUsdDifference: offers.of(host.region).difference(before, to, copiesOf(host)),
  };
}

export const instanceLimit = hostRule('instance-limit', (host, { type, figures }, context) => {
  const counted = countedOf(host);
  const configs = counted.map(({ config }) => config);
  const limit = exceeded(configs, figures);
  if (limit === null) return unknownVolumes(host) ?? [];
  const together = sumOf(configs);
  const isAboveMaximum = limit === 'maximum';
  const facts = {
    code: 'instance-limit' as const,
    instance: abilityOf({ type, figures }),
    volumes: counted.length,
    ...{ together, isAboveMaximum },
  };
  const lowered = loweredToBaseline(counted, figures);
  const severity = isAboveMaximum && isAskedFor(configs, together, maximumOf(figures)) ? 'warning' : 'info';
  return [
    findingOf('instance-limit', host, severity, facts, [
      instanceInstead(host, type, together, context),
      lowered === null ? null : setVolumes(host, counted, lowered, context),
    ]),
  ];
});

/** What is paid for apart: all IOPS of io1 and io2, of gp3 what is above that which comes with it. */
function paidOf(configs: readonly VolumeConfiguration[]): Rates {
  const paid: Rates = { iops: 0, throughputMiBps: 0 };
  for (const { volumeType, iops = 0, throughputMiBps = 0 } of configs.filter(isPaid)) {
    paid.iops += Math.max(0, volumeType === 'gp3' ? iops - gp3Figures.freeIops : iops);
    if (volumeType === 'gp3') paid.throughputMiBps += Math.max(0, throughputMiBps - gp3Figures.freeMiBps);
  }
  return paid;
}

/**
 * Of what is paid for the share that the instance can still use beside the rest; all of it where the rest alone is as much as the
 * instance can do: nobody knows which volume it is then.
 */
function keptShare(most: number, all: number, paid: number): number {
  const others = all - paid;
  return all <= most || others >= most ? 1 : (most - others) / paid;
}

/** Each by the same share, as far as the volumes together still reach what the instance can do: nobody knows which of them needs more. */
function reaching(
  counted: readonly Counted[],
  { maximumIops, maximumMiBps }: EbsFigures,
  context: RuleContext,
  region: string | null,
) {
  const paid = counted.map(({ config, volume }) =>
    isPaid(config) && config.deployment === 'region' && !volume.isMultiAttach ? config : null,
  );
  const fixed = sumOf(counted.flatMap(({ config }, i) => (paid[i] === null ? [config] : [])));
  const configs = counted.map(({ config }) => config);
  const today = sumOf(configs);
  const need = {
    iops: Math.min(today.iops, maximumIops) - fixed.iops,
    throughputMiBps: Math.min(today.throughputMiBps, maximumMiBps) - fixed.throughputMiBps,
  };
  const paidFor = paidOf(paid.filter((config) => config !== null));
  const iopsShare = keptShare(maximumIops, today.iops, paidFor.iops);
  const mibpsShare = keptShare(maximumMiBps, today.throughputMiBps, paidFor.throughputMiBps);
  const all = paid.flatMap((config) => {
    if (config === null) return [];
    const [own, limits] = [paidOf([config]), volumeLimits(config)];
    const kept = (rate: number, ofPaid: number, share: number) => Math.floor(rate - ofPaid * (1 - share));
    // MiB/s of io1 and io2 follow from their IOPS.
    const throughputMiBps =
      config.volumeType === 'gp3' ? kept(limits.baselineMiBps, own.throughputMiBps, mibpsShare) : 0;
    return [{ config, keeps: { iops: kept(limits.baselineIops, own.iops, iopsShare), throughputMiBps } }];
  });
  const lowered = lowerToReach(all, need, context.offers.of(region).ranking);
  let next = 0;
  return counted.map(({ config }, i) =>
    paid[i] === null ? config : (lowered[next++] as VolumeConfiguration),
  );
}

export const unusedPerformance = hostRule('unused-performance', (host, { type, figures }, context) => {
  const counted = countedOf(host);
  const configs = counted.map(({ config }) => config);
  const { maximumIops, maximumMiBps } = figures;
  const together = sumOf(configs);
  const missing = unknownVolumes(host);
  if (!isAbove(together, maximumIops, maximumMiBps)) return missing ?? [];
  const lowered = reaching(counted, figures, context, host.region);
  const offer = context.offers.of(host.region);
  const copies = copiesOf(host);
  const rank = ((offer.rankUsd(configs) ?? 0) - (offer.rankUsd(lowered) ?? 0)) * copies;
  if (rank < context.thresholds.unreachableUsd) return [];
  const difference = offer.difference(configs, lowered, copies);
  const [paid, left] = [paidOf(configs), paidOf(lowered)];
  const facts = {
    code: 'unused-performance' as const,
    instance: abilityOf({ type, figures }),
    together,
    unusedIops: paid.iops - left.iops,
    unusedMiBps: paid.throughputMiBps - left.throughputMiBps,
    monthlyUsd: difference === null ? null : -difference,
  };
  const severity = rank >= context.thresholds.unreachableWarningUsd ? 'warning' : 'info';
  return [
    findingOf('unused-performance', host, severity, facts, [setVolumes(host, counted, lowered, context)]),
  ];
});
