/**
 * What the volumes of a host counted, against findings whose truth is known: the readings are made from the ledgers of the
 * simulator, second by second. A true finding is confirmed or left open and never refuted; a planted false one is refuted.
 */
import { readDescribeInstances, readDescribeVolumes } from '../../adapters/files/aws-cli-inventory.ts';
import { readGetMetricData } from '../../adapters/files/aws-cli-metrics.ts';
import { fileAt } from '../../adapters/files/read-file.ts';
import { audit } from '../../core/audit/audit.ts';
import { builtInRegionCatalog } from '../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../core/diagnosis/thresholds.ts';
import type { HostReading } from '../../core/host/ebs-statistics.ts';
import type { HostStatistics } from '../../core/host/host-statistics.ts';
import { finestEbsPeriodSeconds, MetricCollector } from '../../core/load/metrics.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { AnyEvidence, Finding } from '../../core/schemas/finding.ts';
import type { HostEvidence } from '../../core/stripes/host-evidence.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { burstsIn, database, diurnal, workers } from '../simulator/loads.ts';
import type { InstancePlan } from '../simulator/plan.ts';
import { heldInstances } from '../simulator/plans/instances.ts';
import { throttledVolumes } from '../simulator/plans/throttled-volumes.ts';
import { type Published, publish } from '../simulator/publish.ts';
import { type SimulatedInstance, simulateInstance, type Window } from '../simulator/simulate.ts';

const directory = temporaryDirectory();
const window: Window = { startEpochSeconds: 1_795_046_400, minutes: 26 * 60, seed: 1, firstPlanMinute: 0 };

type Series = { MetricDataResults: { Label: string; Timestamps: string[]; Values: number[] }[] };

let count = 0;
function audited(published: Published, hosts: ReadonlyMap<string, HostEvidence>): AuditResult {
  const folder = `account-${count++}`;
  const file = (name: string, content: object): string => directory.write(`${folder}/${name}.json`, content);
  const collector = new MetricCollector(finestEbsPeriodSeconds);
  readGetMetricData(fileAt(file('get-metric-data', published.getMetricData)), collector);
  return audit({
    runId: 'of-hosts',
    inventory: {
      volumes: readDescribeVolumes(fileAt(file('describe-volumes', published.describeVolumes))),
      instances: readDescribeInstances(fileAt(file('describe-instances', published.describeInstances))),
      hosts,
    },
    read: { metrics: collector.finish(), window: 'of-all' },
    rules: { regionCatalogs: builtInRegionCatalog, thresholds: defaultThresholds },
  });
}

const sumTo = (column: Uint8Array | undefined, minutes: number): number =>
  (column ?? new Uint8Array()).slice(0, minutes).reduce((sum, seconds) => sum + seconds, 0);

/** As the host would read it after so many minutes of the window; it began to count a day before. */
function readingAt({ volumes, ledger: ofInstance }: SimulatedInstance, minutes: number): HostReading {
  const epochSeconds = window.startEpochSeconds + minutes * 60;
  const microseconds = (seconds: number): string => `${1_000_000 * (1_000 + seconds)}`;
  return {
    ...{ epochSeconds, uptimeSeconds: 86_400 + minutes * 60, bootId: '0f0e' },
    volumes: volumes.map(({ volumeId, ledger }, place) => ({
      ...{ volumeId, epochSeconds, diskSequence: `${place}` },
      counters: [
        sumTo(ledger?.iopsExceeded, minutes),
        sumTo(ledger?.throughputExceeded, minutes),
        sumTo(ofInstance.iopsExceeded, minutes),
        sumTo(ofInstance.throughputExceeded, minutes),
      ].map(microseconds),
    })),
  };
}

const hostOf = (readings: HostReading[]): HostEvidence => ({
  ...{ arrays: [], singleVolumeIds: [], notes: [], readings },
});

const hostsOf = (instances: readonly SimulatedInstance[], from = 0, to = window.minutes) =>
  new Map(
    instances.map((one) => [one.instanceId, hostOf([readingAt(one, from), readingAt(one, to)])] as const),
  );

const statisticsOf = ({ evidence }: Finding): HostStatistics | undefined =>
  (evidence as AnyEvidence).hostStatistics;

const of = (result: AuditResult, says: HostStatistics['says']): Finding[] =>
  result.findings.filter((finding) => statisticsOf(finding)?.says === says);

const short = ({ kind, resource }: Finding): string => `${kind} of ${resource.name}`;

const plans = [...throttledVolumes, ...heldInstances].filter(({ region }) => region === 'us-east-1');
const instances = plans.map((plan) => simulateInstance(plan, window));
const published = publish(instances, window);

test('true findings are confirmed, and none is refuted', () => {
  const result = audited(published, hostsOf(instances));
  const planted = new Set(
    instances.flatMap(({ instanceId, plan, volumes }) => [
      ...(plan.planted === undefined ? [] : [`${plan.planted} ${instanceId}`]),
      ...volumes.flatMap((one) =>
        one.plan.planted === undefined ? [] : [`${one.plan.planted} ${one.volumeId}`],
      ),
    ]),
  );
  const confirmed = of(result, 'confirms');
  expect(of(result, 'refutes').map(short)).toEqual([]);
  // Each kind at least once, and what is confirmed is planted.
  expect([...new Set(confirmed.map(({ kind }) => kind))].sort()).toEqual(
    [
      'instance-credits-exhausted',
      'micro-burst',
      'throttled-instance-iops',
      'throttled-instance-throughput',
      'throttled-volume-iops',
      'throttled-volume-throughput',
    ].sort(),
  );
  expect(confirmed.filter(({ kind, resource }) => !planted.has(`${kind} ${resource.id}`)).map(short)).toEqual(
    [],
  );
  for (const { confidence } of confirmed) expect(confidence).toBe('high');
});

test('without the readings every finding is the same, but for its confidence and this figure', () => {
  const plain = (findings: readonly Finding[]) =>
    findings
      .map((finding) => {
        const { hostStatistics: _, ...evidence } = finding.evidence as AnyEvidence;
        return { ...finding, evidence, confidence: null };
      })
      .sort((a, b) => a.id.localeCompare(b.id));
  const [without, withReadings] = [audited(published, new Map()), audited(published, hostsOf(instances))];
  expect(plain(withReadings.findings)).toEqual(plain(without.findings));
  expect(without.findings.some((finding) => statisticsOf(finding) !== undefined)).toBe(false);
});

test('readings of a quiet hour say nothing of what came before or after it', () => {
  const result = audited(published, hostsOf(instances, 0, 60));
  expect([...of(result, 'confirms'), ...of(result, 'refutes')].map(short)).toEqual([]);
  for (const finding of of(result, 'says-nothing')) expect(statisticsOf(finding)?.reason).toBe('few-minutes');
  expect(of(result, 'says-nothing').length).toBeGreaterThan(5);
});

const calm: InstancePlan = {
  name: 'suspected',
  region: 'us-east-1',
  zone: 'us-east-1a',
  instanceType: 'm5.12xlarge',
  volumes: [
    { name: 'suspected-data', volumeType: 'gp3', sizeGiB: 100, load: workers(8, diurnal(400, 1_500, 14)) },
    { name: 'suspected-root', volumeType: 'gp3', sizeGiB: 20, load: database(4, 40) },
  ],
};

const isIopsCheckOf = ({ Label }: { Label: string }, volumeId: string): boolean =>
  Label.includes(volumeId) && Label.includes('VolumeIOPSExceededCheck');

/** CloudWatch's check says for two hours that a calm volume is above its IOPS, and no queue is published that could deny it. */
function withFalseSuspicion(from: Published, volumeId: string): Published {
  // The simulator gives what the AWS CLI prints as plain objects: here its series are changed.
  const { MetricDataResults } = from.getMetricData as unknown as Series;
  const results = MetricDataResults.filter(
    ({ Label }) => !(Label.includes(volumeId) && Label.includes('VolumeQueueLength')),
  ).map((series) =>
    isIopsCheckOf(series, volumeId)
      ? { ...series, Values: series.Values.map((value, i) => (i >= 300 && i < 420 ? 1 : value)) }
      : series,
  );
  return {
    ...from,
    getMetricData: { ...from.getMetricData, MetricDataResults: results },
  } as unknown as Published;
}
test('a planted false suspicion is refuted: it stays, with low confidence', () => {
  const instance = simulateInstance(calm, window);
  const suspected = instance.volumes[0]?.volumeId as string;
  const lying = withFalseSuspicion(publish([instance], window), suspected);
  const [before] = audited(lying, new Map()).findings.filter(({ kind }) => kind === 'micro-burst');
  const result = audited(lying, hostsOf([instance]));
  const [after] = result.findings.filter(({ kind }) => kind === 'micro-burst');
  expect(before?.confidence).toBe('medium');
  expect([after?.id, after?.severity, after?.confidence]).toEqual([before?.id, before?.severity, 'low']);
  expect(after === undefined ? null : statisticsOf(after)).toEqual({
    ...{ says: 'refutes', reason: null, limits: ['volume-iops', 'volume-throughput'], volumeId: suspected },
    ...{ exceededSeconds: 0, throttledMinutes: 120, confidenceBefore: 'medium' },
    start: '2026-11-19T00:00:00Z',
    end: '2026-11-20T02:00:00Z',
  });
});

test('bursts that no finding is about are a notice, and no finding', () => {
  // Two minutes of 26 hours: fewer than a finding asks for, and 2 x 40 s above 3,000 IOPS.
  const burst = burstsIn([600, 900], { fromSecond: 10, seconds: 40, ioPerSecond: 6_000, spread: 1 });
  const load = workers(8, 200, { burst });
  const plan: InstancePlan = {
    ...calm,
    name: 'bursty',
    volumes: [{ name: 'bursty-data', volumeType: 'gp3', sizeGiB: 100, load }],
  };
  const instance = simulateInstance(plan, window);
  const [volume] = instance.volumes;
  const exceededSeconds = sumTo(volume?.ledger?.iopsExceeded, window.minutes);
  expect(exceededSeconds).toBeGreaterThanOrEqual(60);
  const { findings, notices } = audited(publish([instance], window), hostsOf([instance]));
  expect(findings.filter(({ kind }) => kind.startsWith('throttled') || kind === 'micro-burst')).toEqual([]);
  expect(notices.filter(({ code }) => code === 'exceeded-without-finding')).toEqual([
    {
      code: 'exceeded-without-finding',
      instanceId: instance.instanceId,
      volumes: [{ volumeId: volume?.volumeId, limit: 'volume-iops', exceededSeconds }],
      ...{ count: 1, start: '2026-11-19T00:00:00Z', end: '2026-11-20T02:00:00Z' },
    },
  ]);
});
