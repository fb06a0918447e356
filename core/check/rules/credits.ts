/** A volume or an instance whose burst credits a class of load uses up. */
import { type CreditBucket, creditBucket, instanceBuckets, secondsToEmpty } from '../../credits/credits.ts';
import { gp3Figures, isHdd, type VolumeLimits } from '../../limits/volume-limits.ts';
import { cheapestMember } from '../../plan/cheapest-member.ts';
import type { LoadClass } from '../../schemas/check-answer.ts';
import { secondsPerHour } from '../../units.ts';
import { type CheckedVolume, type Configured, figuresOfConfiguration } from '../checked-volume.ts';
import {
  copiesOf,
  findingOf,
  hostRule,
  instanceInstead,
  type RuleContext,
  setVolume,
  unknownVolumes,
  volumeRule,
} from './rule.ts';

/**
 * Hours a day at what a gp3 does without paying for more (3,000 IOPS, 125 MiB/s), of HDD at its burst rate, from a full bucket.
 * Half an hour is what instances are promised.
 */
const loadHours: Record<LoadClass, number> = { general: 0.5, batch: 1, database: 8 };

/** How long a full bucket lasts; null where it lasts for all of the load. */
function lastsOf(bucket: CreditBucket | null, rate: number, hours: number): number | null {
  if (bucket === null) return null;
  const seconds = secondsToEmpty(bucket, bucket.capacity, rate);
  return seconds === null || seconds >= hours * secondsPerHour ? null : seconds;
}

function volumeRate({ volumeType, burstMiBps }: VolumeLimits): number {
  return isHdd(volumeType) ? burstMiBps : gp3Figures.freeIops;
}

/** gp3 that does all the time what the volume does on credits. */
function wayOut(volume: CheckedVolume, { config, limits }: Configured, { offers }: RuleContext) {
  const { burstIops, burstMiBps } = limits;
  const { sizeGiB, deployment } = config;
  const rates = { iops: isHdd(config.volumeType) ? 0 : burstIops, throughputMiBps: burstMiBps };
  const found = cheapestMember('gp3', { ...rates, sizeGiB }, deployment);
  if ('outOfReach' in found) return null;
  const to = { ...config, volumeType: 'gp3' as const, ...found.member };
  const difference = offers.of(volume.region).difference([config], [to], copiesOf(volume));
  return setVolume(volume, figuresOfConfiguration(to), difference);
}

// How long a load lasts nobody but its owner knows: without one nothing is said.

export const volumeCredits = volumeRule('credits', (volume, context) => {
  const { loadClass } = context;
  if (loadClass === null || volume.kind === 'class') return [];
  if (!volume.now.known) return volume.now.reason;
  const { limits } = volume.now.value;
  const rate = volumeRate(limits);
  const lastsSeconds = lastsOf(creditBucket(limits), rate, loadHours[loadClass]);
  if (lastsSeconds === null) return [];
  const isByMiB = isHdd(limits.volumeType);
  const facts = {
    ...{
      code: 'credits-used-up' as const,
      of: 'volume' as const,
      name: limits.volumeType,
      rate,
      lastsSeconds,
    },
    ...{
      load: loadClass,
      loadHours: loadHours[loadClass],
      unit: isByMiB ? ('MiB/s' as const) : ('IOPS' as const),
    },
    baseline: isByMiB ? limits.baselineMiBps : limits.baselineIops,
  };
  return [findingOf('credits', volume, 'warning', facts, [wayOut(volume, volume.now.value, context)])];
});

export const instanceCredits = hostRule('credits', (host, { type, figures }, context) => {
  const { loadClass } = context;
  if (loadClass === null) return [];
  const configured = host.volumes.flatMap(({ now }) => (now.known ? [now.value] : []));
  const missing = unknownVolumes(host);
  const hours = loadHours[loadClass];
  const together = configured.reduce(
    (sum, { limits }) => ({
      iops: sum.iops + (isHdd(limits.volumeType) ? 0 : limits.burstIops),
      throughputMiBps: sum.throughputMiBps + limits.burstMiBps,
    }),
    { iops: 0, throughputMiBps: 0 },
  );
  const rates = {
    iops: Math.min(gp3Figures.freeIops, together.iops),
    throughputMiBps: Math.min(gp3Figures.freeMiBps, together.throughputMiBps),
  };
  const buckets = instanceBuckets(figures);
  const byIo = lastsOf(buckets.io, rates.iops, hours);
  const byBytes = lastsOf(buckets.bytes, rates.throughputMiBps, hours);
  if (byIo === null && byBytes === null) {
    const isAll = rates.iops === gp3Figures.freeIops && rates.throughputMiBps === gp3Figures.freeMiBps;
    return missing === null || isAll ? [] : missing;
  }
  const isByIo = byBytes === null || (byIo !== null && byIo <= byBytes);
  const { baselineIops, baselineMiBps } = figures;
  const facts = {
    ...{ code: 'credits-used-up' as const, of: 'instance' as const, name: type.instanceType },
    ...{ load: loadClass, loadHours: hours, lastsSeconds: (isByIo ? byIo : byBytes) ?? 0 },
    rate: isByIo ? rates.iops : rates.throughputMiBps,
    baseline: isByIo ? baselineIops : baselineMiBps,
    unit: isByIo ? ('IOPS' as const) : ('MiB/s' as const),
  };
  return [findingOf('credits', host, 'warning', facts, [instanceInstead(host, type, rates, context)])];
});
