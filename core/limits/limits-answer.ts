/** What a volume can do and costs, with what its figures leave out: the same wherever it is asked. */
import { knownMonthlyUsd, type PriceBook, type PriceSource, roundedUsd } from '../prices/prices.ts';
import type { LimitsAnswer } from '../schemas/answers.ts';
import {
  deliveredAtIoSize,
  deploymentNote,
  io2Note,
  magneticFigures,
  type VolumeConfiguration,
  type VolumeType,
  volumeLimits,
} from './volume-limits.ts';

/** Where a type's figures are from. */
function ebsSourceOf(type: VolumeType, sources: readonly PriceSource[]): PriceSource | null {
  const ofEbs = sources.filter(({ part }) => part === 'ebs');
  return ofEbs.find(({ volumeTypes }) => volumeTypes?.includes(type)) ?? ofEbs[0] ?? null;
}

interface Priced {
  /** Whose prices they are. */
  region: string;
  prices: PriceBook;
  /** Of random I/O whose rates are asked for too; null: of none. */
  ioSizeKiB: number | null;
}

/** @throws IllegalConfiguration where EBS has no such volume. */
export function limitsAnswer(
  config: VolumeConfiguration,
  { region, prices, ioSizeKiB }: Priced,
): LimitsAnswer {
  const { volumeType, deployment } = config;
  const { approximate, ...limits } = volumeLimits(config);
  const exact = knownMonthlyUsd(config, prices);
  const usd = exact.known ? roundedUsd(exact.value) : null;
  const others = [deploymentNote(config), io2Note(volumeType, limits)];
  return {
    ...limits,
    deployment,
    ...(ioSizeKiB === null ? {} : { atIoSize: { ioSizeKiB, ...deliveredAtIoSize(limits, ioSizeKiB) } }),
    monthlyUsd: usd?.total ?? null,
    monthlyUsdParts: usd && { storage: usd.storage, iops: usd.iops, throughput: usd.throughput },
    priceRegion: region,
    priceSource: ebsSourceOf(volumeType, prices.sources),
    priceUnknownReason: exact.known ? null : exact.reason,
    perMillionIoUsd:
      volumeType === 'standard' && prices.ebs.known ? prices.ebs.value.standardPerMillionIo : null,
    notes: [
      ...(approximate === undefined ? [] : [{ code: 'magnetic' as const, ...magneticFigures }]),
      ...others.filter((note) => note !== null),
    ],
  };
}
