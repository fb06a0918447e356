/**
 * The loop of the replay: what is demanded, what the limits let through, what waits, period by period. It runs for every
 * candidate over every period of a volume, so its state is local variables and typed arrays, in one function.
 */
import { causeCode, causes } from '../diagnosis/causes.ts';
import { slack } from '../plan/need.ts';
import type { ReplayConfiguration } from './configuration.ts';
import {
  counted,
  exceededMost,
  instanceCause,
  most,
  noLimit,
  ofPeriod,
  orCredits,
  settled,
  volumeCause,
} from './limits.ts';
import type { ReplaySeries } from './series.ts';
import type { ReplayColumns, Walked, WalkOptions } from './walked.ts';

/** What the series and the configuration are to the loop. */
function inputsOf(series: ReplaySeries, { counting, instance }: ReplayConfiguration) {
  const { writeShare, writeByteShare = writeShare } = series;
  const moreByWrite = counting.writePenalty - 1;
  const columnOf = (share: number | Float64Array): Float64Array | null =>
    typeof share === 'number' || moreByWrite === 0 ? null : share;
  const constantOf = (share: number | Float64Array): number =>
    typeof share === 'number' ? 1 + share * moreByWrite : 1;
  return {
    chunkMiB: counting.chunkMiB,
    unitsPerMiB: 1 / counting.unitMiB,
    moreByWrite,
    writeShares: columnOf(writeShare),
    writeByteShares: columnOf(writeByteShare),
    sameFactor: constantOf(writeShare),
    sameByteFactor: constantOf(writeByteShare),
    activeTimeIops: series.activeTimeIops ?? null,
    beside: instance === null ? null : (series.beside ?? null),
  };
}

function enter(columns: ReplayColumns, i: number, served: number, backlog: number, cause: number): void {
  columns.served[i] = served;
  columns.backlog[i] = backlog;
  columns.cause[i] = cause;
}

/** Quantities are of a period; units are I/O as EBS counts them, redundancy included. */
export function walk(
  series: ReplaySeries,
  configuration: ReplayConfiguration,
  { mostThrottledPeriods, columns }: WalkOptions,
): Walked {
  const { periodSeconds: seconds, iops, mibps } = series;
  const inputs = inputsOf(series, configuration);
  const { chunkMiB, unitsPerMiB, moreByWrite, activeTimeIops, beside } = inputs;
  const { writeShares, sameFactor, writeByteShares, sameByteFactor } = inputs;
  const { volumeIops, volumeMiBps, instance } = configuration;
  // Of the volume and of the instance, by I/O and by MiB.
  const volumeIo = ofPeriod(volumeIops, seconds);
  const volumeMiB = ofPeriod(volumeMiBps, seconds);
  const instanceIo = ofPeriod(instance?.iops ?? noLimit, seconds);
  const instanceMiB = ofPeriod(instance?.mibps ?? noLimit, seconds);
  const quietUnits = Math.min(volumeIo.base, instanceIo.base);
  const quietMiB = Math.min(volumeMiB.base, instanceMiB.base);
  let volumeIoCredits = volumeIo.start;
  let volumeMiBCredits = volumeMiB.start;
  let instanceIoCredits = instanceIo.start;
  let instanceMiBCredits = instanceMiB.start;
  let volumeIoLowest = volumeIo.start;
  let volumeMiBLowest = volumeMiB.start;
  let instanceIoLowest = instanceIo.start;
  let instanceMiBLowest = instanceMiB.start;
  let isAtRest = false;
  let waitingIo = 0;
  let waitingUnits = 0;
  let waitingMiB = 0;
  let knownPeriods = 0;
  let loadedPeriods = 0;
  let throttledPeriods = 0;
  let burstPeriods = 0;
  let demandedIo = 0;
  let lateIo = 0;
  const periodsByCause = new Float64Array(causes.length);
  const delays = new Float64Array(iops.length);
  let delayed = 0;
  for (let i = 0; i < iops.length && throttledPeriods <= mostThrottledPeriods; i++) {
    const io = (iops[i] as number) * seconds;
    const mibOnce = (mibps[i] as number) * seconds;
    const factor = writeShares === null ? sameFactor : 1 + (writeShares[i] as number) * moreByWrite;
    const byteFactor =
      writeByteShares === null ? sameByteFactor : 1 + (writeByteShares[i] as number) * moreByWrite;
    const units = counted(io, mibOnce, chunkMiB, unitsPerMiB) * factor;
    const mib = mibOnce * byteFactor;
    const besideUnits = beside === null ? 0 : (beside.iops[i] as number) * seconds;
    const besideMiB = beside === null ? 0 : (beside.mibps[i] as number) * seconds;
    if (!(units + mib + besideUnits + besideMiB >= 0)) {
      // Unknown: what waits and what is saved stand still.
      if (columns !== null) enter(columns, i, Number.NaN, waitingIo, causeCode.unknown);
      continue;
    }
    knownPeriods++;
    demandedIo += io;
    if (units + mib + waitingUnits + waitingMiB > 0) loadedPeriods++;
    const activeTimeIo = activeTimeIops === null ? Number.NaN : (activeTimeIops[i] as number) * seconds;
    const peak = io > 0 && activeTimeIo > io ? activeTimeIo / io : 1;
    // Nothing waits, every bucket is full, and it is below all baselines: it changes nothing.
    if (isAtRest && units * peak + besideUnits <= quietUnits && mib * peak + besideMiB <= quietMiB) continue;

    const demandUnits = waitingUnits + units;
    const demandMiB = waitingMiB + mib;
    const volumeIoMost = most(volumeIo, volumeIoCredits);
    const volumeMiBMost = most(volumeMiB, volumeMiBCredits);
    const instanceIoMost = most(instanceIo, instanceIoCredits);
    const instanceMiBMost = most(instanceMiB, instanceMiBCredits);
    let cause: number = causeCode.none;
    let byVolume = 1;
    if (demandUnits > volumeIoMost * slack || demandMiB > volumeMiBMost * slack) {
      const byIo = volumeIoMost / demandUnits;
      const byMiB = volumeMiBMost / demandMiB;
      byVolume = Math.min(byIo, byMiB);
      cause = volumeCause(byIo <= byMiB);
    }
    const offeredUnits = demandUnits * byVolume + besideUnits;
    const offeredMiB = demandMiB * byVolume + besideMiB;
    let share = byVolume;
    let byInstance = 1;
    if (offeredUnits > instanceIoMost * slack || offeredMiB > instanceMiBMost * slack) {
      const byIo = instanceIoMost / offeredUnits;
      const byMiB = instanceMiBMost / offeredMiB;
      byInstance = Math.min(byIo, byMiB);
      // Where nothing is demanded here, it throttles what is beside alone.
      if (demandUnits + demandMiB > 0) {
        share *= byInstance;
        cause = instanceCause(byIo <= byMiB);
      }
    }
    if (share === 1 && (peak > 1 || waitingUnits + waitingMiB > 0)) {
      // All is served: in its first second already, in its busy seconds too? As if those lasted the period.
      const isWaiting = waitingUnits + waitingMiB > 0;
      const firstUnits = isWaiting ? waitingUnits * seconds + units : units * peak;
      const firstMiB = isWaiting ? waitingMiB * seconds + mib : mib * peak;
      const exceeded = exceededMost(
        firstUnits / volumeIoMost,
        firstMiB / volumeMiBMost,
        (firstUnits + besideUnits) / instanceIoMost,
        (firstMiB + besideMiB) / instanceMiBMost,
      );
      if (isWaiting) cause = exceeded;
      else if (exceeded !== causeCode.none) burstPeriods++;
    }
    if (cause !== causeCode.none) {
      cause = orCredits(
        cause,
        volumeIoMost * slack < volumeIo.burst,
        volumeMiBMost * slack < volumeMiB.burst,
        instanceIoMost * slack < instanceIo.burst,
        instanceMiBMost * slack < instanceMiB.burst,
      );
      throttledPeriods++;
      periodsByCause[cause] = (periodsByCause[cause] as number) + 1;
    }

    if (volumeIo.capacity > 0) {
      volumeIoCredits = settled(volumeIoCredits, volumeIo, demandUnits * share);
      if (volumeIoCredits < volumeIoLowest) volumeIoLowest = volumeIoCredits;
    }
    if (volumeMiB.capacity > 0) {
      volumeMiBCredits = settled(volumeMiBCredits, volumeMiB, demandMiB * share);
      if (volumeMiBCredits < volumeMiBLowest) volumeMiBLowest = volumeMiBCredits;
    }
    if (instanceIo.capacity > 0) {
      instanceIoCredits = settled(instanceIoCredits, instanceIo, offeredUnits * byInstance);
      if (instanceIoCredits < instanceIoLowest) instanceIoLowest = instanceIoCredits;
    }
    if (instanceMiB.capacity > 0) {
      instanceMiBCredits = settled(instanceMiBCredits, instanceMiB, offeredMiB * byInstance);
      if (instanceMiBCredits < instanceMiBLowest) instanceMiBLowest = instanceMiBCredits;
    }
    const servedIo = (waitingIo + io) * share;
    if (share < 1) {
      waitingIo = (waitingIo + io) * (1 - share);
      waitingUnits = demandUnits * (1 - share);
      waitingMiB = demandMiB * (1 - share);
      lateIo += Math.min(waitingIo, io);
      delays[delayed++] = (1 - share) / share;
      isAtRest = false;
    } else {
      waitingIo = 0;
      waitingUnits = 0;
      waitingMiB = 0;
      isAtRest =
        volumeIoCredits === volumeIo.capacity &&
        volumeMiBCredits === volumeMiB.capacity &&
        instanceIoCredits === instanceIo.capacity &&
        instanceMiBCredits === instanceMiB.capacity;
    }
    if (columns !== null) enter(columns, i, servedIo / seconds, waitingIo, cause);
  }
  return {
    knownPeriods,
    periodsByCause,
    throttledPeriods,
    burstPeriods,
    loadedPeriods,
    demandedIo,
    lateIo,
    waitingIo,
    delays: delays.subarray(0, delayed),
    lowest: {
      volumeIo: volumeIoLowest,
      volumeMiB: volumeMiBLowest,
      instanceIo: instanceIoLowest,
      instanceMiB: instanceMiBLowest,
    },
  };
}
