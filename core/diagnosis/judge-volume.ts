/** One volume: judged, or unknown with the reason. */
import { firstAdvice } from '../advice/first-advice.ts';
import { IllegalConfiguration } from '../errors.ts';
import type { Instance, Volume } from '../inventory.ts';
import { type Known, known, unknown } from '../known.ts';
import { type VolumeLimits, volumeLimits } from '../limits/volume-limits.ts';
import { type EbsPriceTable, ebsPrices, monthlyUsd } from '../limits/volume-price.ts';
import { isVolumeType, type VolumeConfiguration, volumeTypes } from '../limits/volume-types.ts';
import type { FleetMetrics } from '../load/fleet-metrics.ts';
import { maximum, minimum } from '../load/series.ts';
import { type VolumeLoad, volumeLoad } from '../load/volume-load.ts';
import type { VolumeVerdict } from '../schemas/audit-result.ts';
import type { Finding } from '../schemas/finding.ts';
import { secondsPerMinute } from '../units.ts';
import { attribute, type InstanceCauseAt } from './attribute.ts';
import { findingId } from './finding-id.ts';
import { instanceCausesOn } from './judge-instance.ts';
import { idleFinding, unattachedFinding } from './unused.ts';
import { type Draft, loadFindings } from './volume-findings.ts';

export interface AuditWindow {
  startEpochSeconds: number;
  endEpochSeconds: number;
}

export interface JudgeContext {
  metrics: FleetMetrics;
  instances: ReadonlyMap<string, Instance>;
  /** The time that a volume is judged over; null where nothing has a figure. */
  windowOf: (volumeId: string) => AuditWindow | null;
}

export interface JudgedVolume {
  verdict: VolumeVerdict;
  findings: Finding[];
}

interface Configured {
  config: VolumeConfiguration;
  limits: VolumeLimits;
}

/** The configuration that counts for a type: EC2 also reports IOPS on gp2, where they follow from the size. */
function configurationOf(volume: Volume): Known<Configured> {
  const { volumeType, sizeGiB, deployment } = volume;
  if (!isVolumeType(volumeType)) {
    return unknown(`volume type "${volumeType}" is not known here (known: ${volumeTypes.join(', ')})`);
  }
  const provisioned = volumeType === 'gp3' || volumeType === 'io1' || volumeType === 'io2';
  const config: VolumeConfiguration = {
    volumeType,
    sizeGiB,
    deployment,
    iops: provisioned ? (volume.iops ?? undefined) : undefined,
    throughputMiBps: volumeType === 'gp3' ? (volume.throughputMiBps ?? undefined) : undefined,
  };
  try {
    return known({ config, limits: volumeLimits(config) });
  } catch (error) {
    if (error instanceof IllegalConfiguration)
      return unknown(`its configuration is not one we know: ${error.message}`);
    throw error;
  }
}

function noFiguresBecause(volume: Volume, instances: JudgeContext['instances']): string {
  const [attachment] = volume.attachments;
  const instance = attachment === undefined ? undefined : instances.get(attachment.instanceId);
  if (instance !== undefined && instance.state !== 'running') {
    return `no datapoints of its operations in the window; its instance ${instance.instanceId} is ${instance.state}`;
  }
  return 'no datapoints of its operations (VolumeReadOps, VolumeWriteOps) in the window';
}

const top = (column: Float64Array | null | undefined): number | null => maximum(column ?? null);

const burstyPeriods = ({ busyIops, iops }: VolumeLoad): number | null =>
  busyIops?.filter((busy, i) => busy > 2 * (iops[i] as number)).length ?? null;

function verdictOf(
  volume: Volume,
  { metrics, windowOf }: JudgeContext,
  load: VolumeLoad | null,
): VolumeVerdict {
  const window = windowOf(volume.volumeId);
  const windowSeconds = window === null ? 0 : window.endEpochSeconds - window.startEpochSeconds;
  const knownSeconds = load?.knownSeconds ?? 0;
  const topAverageIops = top(load?.iops);
  return {
    volumeId: volume.volumeId,
    name: volume.name,
    region: volume.region,
    volumeType: volume.volumeType,
    sizeGiB: volume.sizeGiB,
    verdict: 'healthy',
    because: null,
    knownMinutes: knownSeconds / secondsPerMinute,
    unknownMinutes: Math.max(0, windowSeconds - knownSeconds) / secondsPerMinute,
    repeatedPoints: metrics.repeatedPoints(volume.volumeId),
    topAverageIops,
    busyIopsInTopPeriod: load?.busyIops?.[load.iops.indexOf(topAverageIops ?? -1)] ?? null,
    topBusyIops: top(load?.busyIops),
    activePeriods: load === null ? 0 : load.ops.filter((ops) => ops > 0).length,
    periodsBusyOverTwiceAverage: load === null ? null : burstyPeriods(load),
    lowestBalancePercent: null,
    balanceModelled: false,
    findings: [],
  };
}

/** The first of its instances that says something; a Multi-Attach volume has several. */
function instanceCauses(volume: Volume, context: JudgeContext, load: VolumeLoad): InstanceCauseAt {
  const each = volume.attachments.map(({ instanceId }) =>
    instanceCausesOn(context.metrics.of(instanceId), load.epochSeconds, load.periodSeconds),
  );
  return (i) => {
    for (const causeAt of each) {
      const found = causeAt(i);
      if (found !== null) return found;
    }
    return null;
  };
}

interface JudgedOnLoad {
  drafts: Draft[];
  balance: Pick<VolumeVerdict, 'lowestBalancePercent' | 'balanceModelled'>;
}

function judgeOnLoad(
  volume: Volume,
  { limits }: Configured,
  load: VolumeLoad,
  context: JudgeContext,
  usd: Known<number>,
): JudgedOnLoad {
  const metrics = context.metrics.of(volume.volumeId);
  const attribution = attribute(limits, load, metrics, instanceCauses(volume, context, load));
  const window = context.windowOf(volume.volumeId) ?? { startEpochSeconds: 0, endEpochSeconds: 0 };
  const idle = idleFinding(load, window.endEpochSeconds - window.startEpochSeconds, usd);
  const { balance } = attribution;
  return {
    drafts: [
      ...loadFindings({ limits, load, attribution }, window.endEpochSeconds),
      ...(idle === null ? [] : [idle]),
    ],
    balance: {
      lowestBalancePercent: balance === null ? null : minimum(balance.percent),
      balanceModelled: balance?.source === 'modelled',
    },
  };
}

const priceOf = (config: VolumeConfiguration, prices: Known<EbsPriceTable>): Known<number> =>
  prices.known ? known(monthlyUsd(config, prices.value).total) : prices;

/** Judges one volume on its own metrics and those of its instances. */
export function judgeVolume(volume: Volume, context: JudgeContext): JudgedVolume {
  const metrics = context.metrics.of(volume.volumeId);
  const load = volumeLoad(metrics);
  const base = verdictOf(volume, context, load);
  const unknownBecause = (because: string): JudgedVolume => ({
    verdict: { ...base, verdict: 'unknown', because },
    findings: [],
  });
  if (volume.state !== 'in-use' && volume.state !== 'available') {
    return unknownBecause(`its state is "${volume.state}", neither in-use nor available`);
  }
  const configured = configurationOf(volume);
  if (!configured.known) return unknownBecause(configured.because);
  const prices = ebsPrices(volume.region);
  const usd = priceOf(configured.value.config, prices);
  const unattached = volume.state === 'available';
  if (!unattached && (load === null || load.knownSeconds === 0)) {
    return unknownBecause(noFiguresBecause(volume, context.instances));
  }
  const { drafts, balance } =
    unattached || load === null
      ? { drafts: [unattachedFinding(usd)], balance: {} }
      : judgeOnLoad(volume, configured.value, load, context, usd);
  const resource = {
    volumeId: volume.volumeId,
    name: volume.name,
    region: volume.region,
    account: volume.account,
  };
  const findings = drafts.map((draft) => ({
    id: findingId(draft.kind, resource),
    resource,
    ...draft,
    advice: firstAdvice(draft, volume, configured.value, prices, usd),
  }));
  return {
    verdict: {
      ...base,
      ...balance,
      verdict: findings.length > 0 ? 'finding' : 'healthy',
      findings: findings.map(({ id }) => id),
    },
    findings,
  };
}
