/**
 * The remedies of an instance that throttles, on fleets that were simulated: which is first because it is the cheapest that helps,
 * and beside each a fleet in which it is not offered. What is promised is played again.
 */
import { readDescribeInstances, readDescribeVolumes } from '../../../adapters/files/aws-cli-inventory.ts';
import { fileAt } from '../../../adapters/files/read-file.ts';
import { audit } from '../../../core/audit/audit.ts';
import { mergeResults } from '../../../core/audit/batches.ts';
import type { InstanceType } from '../../../core/catalog/instance-types.ts';
import type { RegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { plannedChangeOf } from '../../../core/changes/plan.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { Volume } from '../../../core/inventory.ts';
import { topRecommendations } from '../../../core/report/top-recommendations.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import { auditResultSchema } from '../../../core/schemas/audit-result.ts';
import type { Finding, Recommendation } from '../../../core/schemas/finding.ts';
import { collectedMetrics } from '../../fixtures/collected-metrics.ts';
import { commandsOf } from '../../fixtures/findings.ts';
import { anInstanceType, aRegionCatalog } from '../../fixtures/region-catalog.ts';
import type { MetricResult } from '../../fixtures/replies.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';
import { type InstanceTypeName, instanceLimits } from '../../simulator/instance-types.ts';
import { stream, windows, workers } from '../../simulator/loads.ts';
import type { InstancePlan, VolumePlan } from '../../simulator/plan.ts';
import { publish } from '../../simulator/publish.ts';
import {
  instanceIdOf,
  type SimulatedInstance,
  simulateInstance,
  volumeIdOf,
  type Window,
} from '../../simulator/simulate.ts';
import { tryTopRecommendation } from '../../tried-recommendation.ts';

const directory = temporaryDirectory();

const minutes = 6 * 60;
// 2026-11-20T00:00:00Z; the plan's minutes are 1,200 to 1,559.
const window: Window = { startEpochSeconds: 1_795_132_800 - minutes * 60, minutes, seed: 1 };
const busyFrom = 1_300;
/** USD an hour; the larger costs more. */
const usdPerHour = {
  ...{ 'm8g.large': 0.1, 'm8g.8xlarge': 1.6, 'm8g.12xlarge': 2.4 },
  ...{ 'm5.large': 0.1, 'm5.4xlarge': 0.8, 'm5.8xlarge': 1.6, 'm5.12xlarge': 2.4, 'm6i.8xlarge': 1.7 },
};

/** As the simulator has it. */
function typeOf(instanceType: InstanceTypeName, more: Partial<InstanceType> = {}): InstanceType {
  const { baselineIops, maximumIops, baselineMiBps, maximumMiBps } = instanceLimits(instanceType);
  const isArm = instanceType.startsWith('m8g');
  return anInstanceType({
    ...{ instanceType, architectures: [isArm ? 'arm64' : 'x86_64'] },
    ebs: { baselineIops, maximumIops, baselineMiBps, maximumMiBps },
    bandwidthWeightings: isArm ? ['default', 'ebs-1', 'vpc-1'] : [],
    ...more,
  });
}

const names = Object.keys(usdPerHour) as InstanceTypeName[];
const aCatalog = (more: Partial<Record<InstanceTypeName, Partial<InstanceType>>> = {}): RegionCatalog =>
  aRegionCatalog(
    names.map((name) => typeOf(name, more[name])),
    usdPerHour,
  );

const gp3 = (name: string, iops: number, throughputMiBps: number, load: VolumePlan['load']): VolumePlan => ({
  ...{ name, volumeType: 'gp3', sizeGiB: 500, iops, throughputMiBps },
  ...(load === undefined ? {} : { load }),
});
const quietRoot = (of: string): VolumePlan => gp3(`${of}-root`, 3_000, 125, workers(8, 20));
/** For so many minutes so many MiB/s, in I/O of 256 KiB. */
const scan = (mibps: number) => stream(256, windows(40, [busyFrom, 60, mibps * 4]));
const small = (iops: number) => workers(8, windows(200, [busyFrom, 60, iops]));

const instance = (
  name: string,
  instanceType: InstanceTypeName,
  volumes: VolumePlan[],
  more: Partial<InstancePlan> = {},
): InstancePlan => ({
  ...{ name, region: 'us-east-1', zone: 'us-east-1a', instanceType, volumes: [quietRoot(name), ...volumes] },
  ...more,
});

interface Played {
  result: AuditResult;
  finding: Finding;
  recommendations: Recommendation[];
  simulated: SimulatedInstance[];
}

interface PlayedWith {
  regionCatalog?: RegionCatalog;
  asVolume?: (volume: Volume) => Volume;
}

let count = 0;

function auditOf(
  simulated: readonly SimulatedInstance[],
  { regionCatalog = aCatalog(), asVolume = (volume) => volume }: PlayedWith = {},
): AuditResult {
  const { describeVolumes, describeInstances, getMetricData } = publish(simulated, window);
  const file = (what: string, content: object): string => directory.write(`${++count}/${what}.json`, content);
  return audit({
    runId: 'run-1',
    inventory: {
      volumes: readDescribeVolumes(fileAt(file('volumes', describeVolumes)))
        .map((volume) => ({ ...volume, account: '111122223333' }))
        .map(asVolume),
      instances: readDescribeInstances(fileAt(file('instances', describeInstances))),
    },
    read: {
      // The simulator gives what the AWS CLI prints as plain objects.
      metrics: collectedMetrics(getMetricData.MetricDataResults as unknown as MetricResult[]),
      window: 'of-all',
    },
    rules: { regionCatalogs: () => regionCatalog, thresholds: defaultThresholds },
  });
}

const findingOn = ({ findings }: AuditResult, name: string): Finding => {
  const id = instanceIdOf(name, window.seed);
  const found = findings.find(({ resource, kind }) => resource.id === id && /throttled|credits/.test(kind));
  if (found === undefined) throw new Error(`nothing throttled ${name}`);
  return found;
};

/** The first of the plans is the one that throttles. */
function played(plans: InstancePlan[], how: PlayedWith = {}): Played {
  const simulated = plans.map((plan) => simulateInstance(plan, window));
  const result = auditOf(simulated, how);
  const finding = findingOn(result, plans[0]?.name ?? '');
  return { result, finding, recommendations: finding.recommendations, simulated };
}

const trueMinutes = ({ finding, simulated }: Played): { before: number; after: number } => {
  const tried = tryTopRecommendation('', finding, simulated, window, (plans) =>
    plans.map((plan) => simulateInstance(plan, window)),
  );
  if (tried === null) throw new Error('nothing to try');
  return { before: tried.before, after: tried.after };
};

const actionsOf = ({ recommendations }: Played): string[] => recommendations.map(({ action }) => action);

describe('bandwidth weighting', () => {
  const onDefault = { bandwidthWeighting: 'default' } as const;
  // 1,300 of 1,192 MiB/s; both volumes do at most 1,400, and ebs-1 gives 1,490.
  const two = [gp3('scan-a', 3_000, 700, scan(650)), gp3('scan-b', 3_000, 700, scan(650))];

  test('ebs-1 is first where it ends the throttling, since it is free; and it does', () => {
    const one = played([instance('scan', 'm8g.8xlarge', two, onDefault)]);
    expect(one.finding.kind).toBe('throttled-instance-throughput');
    const [first, ...others] = one.recommendations;
    expect(first).toMatchObject({
      ...{ action: 'set-bandwidth-weighting', monthlyUsdDelta: 0, inPlace: false },
      change: { of: 'bandwidth-weighting', from: 'default', to: 'ebs-1' },
      effect: { method: 'simulated', throttledMinutesAfter: 0 },
      // A quarter of 1,192.093
      risks: [{ code: 'downtime' }, { code: 'less-network-bandwidth', throughputMiBps: 298.023 }],
    });
    const id = instanceIdOf('scan', 1);
    expect(commandsOf(first)).toEqual([
      `aws ec2 stop-instances --instance-ids ${id} --region us-east-1`,
      `aws ec2 wait instance-stopped --instance-ids ${id} --region us-east-1`,
      `aws ec2 modify-instance-network-performance-options --instance-id ${id} --region us-east-1 --bandwidth-weighting ebs-1`,
      `aws ec2 start-instances --instance-ids ${id} --region us-east-1`,
    ]);
    expect(others.length).toBeGreaterThan(0);
    const { before, after } = trueMinutes(one);
    expect(before).toBeGreaterThanOrEqual(55);
    expect(after).toBe(0);
  });

  test('a stop empties the instance store: every remedy that stops the instance says so, a move does not', () => {
    const instanceStore = { disks: 1, totalGB: 474, ssd: true };
    const own = aCatalog({ 'm8g.8xlarge': { instanceStore }, 'm8g.12xlarge': { instanceStore } });
    const { recommendations } = played([instance('scan', 'm8g.8xlarge', two, onDefault)], {
      regionCatalog: own,
    });
    const risksOf = (action: Recommendation['action']): string[][] =>
      recommendations
        .filter((one) => one.action === action)
        .map(({ risks }) => risks.map(({ code }) => code));
    expect(risksOf('set-bandwidth-weighting')).toEqual([
      ['downtime', 'instance-store-lost', 'less-network-bandwidth'],
    ]);
    expect(risksOf('resize-instance')[0]).toContain('instance-store-lost');
    for (const risks of risksOf('move-volume')) expect(risks).not.toContain('instance-store-lost');
  });

  test('where it only lessens it, it comes after what ends it, with its minutes', () => {
    // 60 minutes of 1,300 MiB/s by volumes that do at most 1,400, and in the last 20 of them 900 more: those ebs-1 does not carry.
    const more = gp3('mixed-c', 4_000, 1_000, stream(256, windows(40, [busyFrom + 40, 20, 900 * 4])));
    const one = played([instance('mixed', 'm8g.8xlarge', [...two, more], onDefault)]);
    const place = actionsOf(one).indexOf('set-bandwidth-weighting');
    const { effect } = one.recommendations[place] ?? {};
    const isEnd = ({ effect }: Recommendation): boolean => effect.throttledMinutesAfter === 0;
    expect(place).toBeGreaterThan(0);
    expect(one.recommendations.slice(0, place).every(isEnd)).toBe(true);
    expect(effect?.throttledMinutesAfter).toBeGreaterThanOrEqual(20);
    expect(effect?.throttledMinutesAfter).toBeLessThan(effect?.throttledMinutesBefore ?? 0);
  });

  test.each([
    ['a type without it', instance('plain', 'm6i.8xlarge', two), aCatalog()],
    [
      'a type whose row does not list it',
      instance('unlisted', 'm8g.8xlarge', two, onDefault),
      aCatalog({ 'm8g.8xlarge': { bandwidthWeightings: ['default'] } }),
    ],
    ['a weighting that nobody told', instance('untold', 'm8g.8xlarge', two), aCatalog()],
    [
      'a limit of IOPS',
      instance(
        'iops',
        'm8g.8xlarge',
        [1, 2, 3].map((i) => gp3(`iops-${i}`, 16_000, 250, small(15_000))),
        onDefault,
      ),
      aCatalog(),
    ],
    [
      'one that has it',
      instance(
        'has-it',
        'm8g.8xlarge',
        [gp3('has-a', 4_000, 1_000, scan(900)), gp3('has-b', 4_000, 1_000, scan(900))],
        { bandwidthWeighting: 'ebs-1' },
      ),
      aCatalog(),
    ],
  ])('not offered to %s', (_, plan, regionCatalog) => {
    expect(actionsOf(played([plan], { regionCatalog }))).not.toContain('set-bandwidth-weighting');
  });
});

describe('another type', () => {
  // No volume can be moved: all others would still be throttled, or the instance is there for it.
  const two = [gp3('type-a', 3_000, 700, scan(650)), gp3('type-b', 3_000, 700, scan(650))];
  const asStripe = (volume: Volume): Volume => ({ ...volume, stripeTag: 'data' });
  const noMove = {
    asVolume: (volume: Volume) => (/root/.test(volume.name ?? '') ? volume : asStripe(volume)),
  };
  const resizesOf = (regionCatalog: RegionCatalog) =>
    played([instance('type', 'm5.12xlarge', two)], { ...noMove, regionCatalog }).recommendations;

  // m5.12xlarge does 1,132 MiB/s. 1,192 x 1.25 = 1,490 carry 1,400, and so do 1,788 for more.
  const offered = { architectures: ['x86_64'] };
  const others = { 'm8g.8xlarge': offered, 'm8g.12xlarge': offered } as const;

  test('with ebs-1 where that is cheaper than the next type that needs none', () => {
    const [first] = resizesOf(aCatalog(others));
    expect(first).toMatchObject({
      action: 'resize-instance',
      change: { of: 'instance', from: 'm5.12xlarge', to: 'm8g.8xlarge', bandwidthWeighting: 'ebs-1' },
      effect: { method: 'simulated', throttledMinutesAfter: 0 },
      monthlyUsdDelta: -584, // (1.6 - 2.4) x 730
    });
    const how = commandsOf(first).map((line) => line.split(' ')[2]);
    expect(how).toEqual([
      ...['stop-instances', 'wait', 'modify-instance-attribute'],
      ...['modify-instance-network-performance-options', 'start-instances'],
    ]);
  });

  test('without it where the type does not list it', () => {
    const plain = { architectures: ['x86_64'], bandwidthWeightings: [] };
    const [first] = resizesOf(aCatalog({ 'm8g.8xlarge': plain, 'm8g.12xlarge': plain }));
    expect(first).toMatchObject({
      change: { of: 'instance', to: 'm8g.12xlarge' },
      effect: { method: 'simulated', throttledMinutesAfter: 0 },
    });
    expect(first?.change).not.toHaveProperty('bandwidthWeighting');
  });
});

describe('one volume moved', () => {
  // 12,000 + 2 x 4,500 = 21,000 of 18,750; without the first 9,000.
  const busy = gp3('shop-busy', 13_000, 250, small(12_000));
  const neighbours = [1, 2].map((i) => gp3(`shop-${i}`, 5_000, 250, small(4_500)));
  const shop = instance('shop', 'm5.4xlarge', [busy, ...neighbours]);
  /** 30,000 IOPS of which its volumes do 3,000. */
  const roomy = instance('roomy', 'm5.8xlarge', []);
  const busyId = volumeIdOf(busy, window.seed);

  test('to an instance of the same zone that has room, since that costs nothing; and it ends it on both', () => {
    const one = played([shop, roomy]);
    const [first] = one.recommendations;
    expect(first).toMatchObject({
      ...{ action: 'move-volume', monthlyUsdDelta: 0, inPlace: false },
      change: {
        ...{ of: 'volume-move', volumeId: busyId, from: instanceIdOf('shop', 1) },
        ...{ to: instanceIdOf('roomy', 1), instanceType: 'm5.8xlarge' },
      },
      effect: { method: 'simulated', throttledMinutesAfter: 0 },
      risks: [{ code: 'downtime' }, { code: 'application-moves' }],
    });
    // 12,000 of 21,000 in the busy hour, and a third of little else.
    expect(first?.change).toMatchObject({ loadShare: expect.closeTo(0.57, 1) });
    expect(commandsOf(first)).toEqual([
      `aws ec2 detach-volume --volume-id ${busyId} --region us-east-1`,
      `aws ec2 wait volume-available --volume-ids ${busyId} --region us-east-1`,
      `aws ec2 attach-volume --volume-id ${busyId} --region us-east-1 --instance-id ${instanceIdOf('roomy', 1)} --device <device>`,
    ]);
    const { before, after } = trueMinutes(one);
    expect(before).toBeGreaterThanOrEqual(55);
    expect(after).toBe(0);
  });

  test('nothing of it is executed, and it saves no money', () => {
    const { finding } = played([shop, roomy]);
    expect(plannedChangeOf(finding, '2026-11-20')).toBeNull();
    expect(topRecommendations([finding])).toMatchObject({ byMoney: [], savingMonthlyUsd: 0 });
  });

  test('a result with it is read as it was written', () => {
    const { result } = played([shop, roomy]);
    expect(auditResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
  });

  test('which instance has room is known when batches are merged, as if there had been one', () => {
    const { result, simulated } = played([shop, roomy]);
    const parts = simulated.map((one) => auditOf([one]));
    const merged = mergeResults(parts, {
      ...{ runId: 'run-1', window: result.window, notices: [], incomplete: [], apiCalls: 0 },
    });
    expect(merged.findings).toEqual(result.findings);
    expect(merged.instanceRooms).toEqual(result.instanceRooms);
  });

  test.each([
    ['of another zone', { zone: 'us-east-1b' }, []],
    ['that is stopped', { state: 'stopped' as const }, []],
    [
      'of another architecture',
      { instanceType: 'm8g.12xlarge' as const, bandwidthWeighting: 'default' as const },
      [],
    ],
    // 30,000 - 3,000 - 16,000 leave 11,000
    ['whose volumes could need its baseline', {}, [gp3('roomy-a', 16_000, 250, workers(8, 100))]],
  ])('to a new instance of the cheapest type where the other is one %s', (_, more, volumes) => {
    const other = { ...instance('roomy', 'm5.8xlarge', volumes), ...more };
    const one = played([shop, other]);
    const move = one.recommendations.find(({ action }) => action === 'move-volume');
    // m5.large bursts to 18,750 for half an hour and not for an hour: 3,600 are its baseline.
    expect(move).toMatchObject({
      change: { to: null, instanceType: 'm5.4xlarge', monthlyUsd: 584 }, // 0.8 x 730
      monthlyUsdDelta: 584,
    });
    expect(move?.steps[0]).toMatchObject({ code: 'launch-instance', availabilityZone: 'us-east-1a' });
    // As much as the difference to the next type: (1.6 - 0.8) x 730
    expect(one.recommendations.filter(({ effect }) => effect.throttledMinutesAfter === 0).length).toBe(2);
  });

  const isRoot = (plan: InstancePlan): InstancePlan => ({ ...plan, volumes: plan.volumes.toReversed() });
  const asStripe = (volume: Volume): Volume =>
    volume.volumeId === busyId || volume.name === 'shop-1' ? { ...volume, stripeTag: 'data' } : volume;

  test.each([
    [
      'two busy volumes',
      // 2 x 15,000 + 5,000: each alone leaves 20,000 of 18,750.
      instance('shop', 'm5.4xlarge', [
        gp3('shop-a', 16_000, 250, small(15_000)),
        gp3('shop-b', 16_000, 250, small(15_000)),
        gp3('shop-c', 6_000, 250, small(5_000)),
      ]),
      {},
    ],
    [
      'what the instance is there for: its neighbours carry next to nothing',
      instance('shop', 'm5.4xlarge', [
        gp3('shop-a', 40_000, 250, small(21_000)),
        gp3('shop-b', 3_000, 125, small(300)),
      ]),
      {},
    ],
    ['what the instance starts from', isRoot(instance('shop', 'm5.4xlarge', [...neighbours, busy])), {}],
    ['a member of a stripe', shop, { asVolume: asStripe }],
  ])('not offered of %s', (_, plan, how) => {
    const moved = played([plan, roomy], how).recommendations.flatMap(({ change }) =>
      change?.of === 'volume-move' ? [change.volumeId] : [],
    );
    expect(moved).not.toContain(busyId);
    for (const name of ['shop-a', 'shop-b', 'shop-c'])
      expect(moved).not.toContain(volumeIdOf({ ...busy, name }, window.seed));
  });
});
