/** The answer of `replay`: a recorded series against a layout, on an instance or not. */
import type { EbsFigures } from '../catalog/instance-types.ts';
import { BadInput } from '../errors.ts';
import { type Deployment, type VolumeLimits, volumeLimits } from '../limits/volume-limits.ts';
import type { TimeQuality } from '../load/series.ts';
import { type Layout, provisioned } from '../plan/layout.ts';
import type { HostNote } from '../schemas/host-demand.ts';
import type { IgnoredFigure, ReplayAnswer } from '../schemas/replay-answer.ts';
import { isoFromEpochSeconds, kibFromMiB } from '../units.ts';
import { membersTimes, replayConfiguration } from './configuration.ts';
import { replayNotes } from './notes.ts';
import type { RecordedRates } from './recorded-rates.ts';
import { type ReplayResult, replay } from './replay.ts';

export interface ReplayRequest {
  series: RecordedRates;
  /** Rows of the file, the repeated ones too. */
  rows: number;
  quality: TimeQuality;
  hasQueueLength: boolean;
  /** false: which of the I/O write is not known, and the series has half of each. */
  isSplitKnown?: boolean;
  /** Of the recording that the series was made of. */
  hostNotes?: readonly HostNote[];
  layout: Layout;
  /** Figures that stood in its file and do not count. */
  ignored: readonly IgnoredFigure[];
  deployment: Deployment;
  chunkKiB: number;
  stripeEfficiency: number;
  /** Of every credit bucket. */
  startBalancePercent: number;
  instance: { instanceType: string; region: string; figures: EbsFigures } | null;
}

function askedOf({ iops, mibps, writeShare }: RecordedRates, isSplitKnown: boolean): ReplayAnswer['asked'] {
  const sums = { iops: 0, mibps: 0, writes: 0 };
  const highest = { iops: 0, mibps: 0 };
  for (let i = 0; i < iops.length; i++) {
    const [io, mib] = [iops[i] as number, mibps[i] as number];
    sums.iops += io;
    sums.mibps += mib;
    sums.writes += io * (writeShare[i] as number);
    highest.iops = Math.max(highest.iops, io);
    highest.mibps = Math.max(highest.mibps, mib);
  }
  return {
    meanIops: sums.iops / iops.length,
    highestIops: highest.iops,
    meanMiBps: sums.mibps / iops.length,
    highestMiBps: highest.mibps,
    meanIoSizeKiB: sums.iops === 0 ? null : kibFromMiB(sums.mibps) / sums.iops,
    writeShare: sums.iops === 0 || !isSplitKnown ? null : sums.writes / sums.iops,
  };
}

function configurationOf(request: ReplayRequest, limits: VolumeLimits): ReplayAnswer['configuration'] {
  const { layout, deployment, chunkKiB, stripeEfficiency, startBalancePercent, instance } = request;
  const times = membersTimes(layout, stripeEfficiency);
  const isPromised = limits.approximate === undefined;
  return {
    layout,
    deployment,
    chunkKiB,
    stripeEfficiency,
    startBalancePercent,
    volumes: {
      baselineIops: limits.baselineIops * times,
      maximumIops: (isPromised ? limits.burstIops : limits.baselineIops) * times,
      baselineMiBps: limits.baselineMiBps * times,
      maximumMiBps: (isPromised ? limits.burstMiBps : limits.baselineMiBps) * times,
    },
    instance: instance && {
      instanceType: instance.instanceType,
      region: instance.region,
      ...instance.figures,
    },
  };
}

/** To the millionth: what is beyond comes from the arithmetic. */
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
const roundedOrNull = (value: number | null): number | null => (value === null ? null : rounded(value));

function roundedResult(result: ReplayResult): ReplayResult {
  const { volume, instanceIo, instanceBytes } = result.lowestCredits;
  return {
    ...result,
    backlogSecondsP95: rounded(result.backlogSecondsP95),
    backlogSecondsMax: rounded(result.backlogSecondsMax),
    backlogIoAtEnd: rounded(result.backlogIoAtEnd),
    lowestCreditPercent: roundedOrNull(result.lowestCreditPercent),
    lowestCredits: {
      volume: roundedOrNull(volume),
      instanceIo: roundedOrNull(instanceIo),
      instanceBytes: roundedOrNull(instanceBytes),
    },
  };
}

/** A mirror and a parity write more than they are asked to: what they do depends on how much writes. */
function requireSplit({ isSplitKnown = true, layout: { kind } }: ReplayRequest): void {
  if (isSplitKnown || (kind !== 'raid10' && kind !== 'raid5')) return;
  throw new BadInput(
    `${kind} cannot be replayed: the recording does not show which I/O write, and ${kind} writes more; give one of \`iostat -xt 60\``,
  );
}

/** @throws IllegalConfiguration where EBS would refuse the volumes; BadInput where a balance cannot be. */
export function replayAnswer(request: ReplayRequest): ReplayAnswer {
  requireSplit(request);
  const { series, rows, quality, layout, deployment, chunkKiB, stripeEfficiency, instance } = request;
  const percent = request.startBalancePercent;
  const configuration = replayConfiguration(layout, {
    deployment,
    chunkKiB,
    stripeEfficiency,
    instance: instance?.figures ?? null,
    startPercent: { volume: percent, instanceIo: percent, instanceBytes: percent },
  });
  const limits = volumeLimits(provisioned(layout, deployment));
  const { epochSeconds, periodSeconds } = series;
  const answer: ReplayAnswer = {
    ...roundedResult(replay(series, configuration)),
    asked: askedOf(series, request.isSplitKnown ?? true),
    series: {
      from: isoFromEpochSeconds(epochSeconds[0] as number),
      to: isoFromEpochSeconds((epochSeconds.at(-1) as number) + periodSeconds),
      periodSeconds,
      rows,
      repeatedTimestamps: quality.repeatedPoints,
      gaps: quality.gaps.length,
      overlappingRows: quality.shortSteps.length,
    },
    configuration: configurationOf(request, limits),
    notes: [],
  };
  return { ...answer, notes: replayNotes(answer, { ...request, limits }) };
}
