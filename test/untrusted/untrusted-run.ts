/**
 * A run in which every text that the account, its hosts and AWS's errors have a say in is untrusted, on the way that it
 * takes when deployed: discovered, evaluated, collected, stored, read again, told.
 */

import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { unreadable } from '../../adapters/aws/failure.ts';
import { publishJson } from '../../adapters/aws/publish-json.ts';
import { RunStore } from '../../adapters/aws/run-store.ts';
import { ofAccount, withAccounts } from '../../core/audit/accounts.ts';
import { isPartial } from '../../core/audit/audit.ts';
import { runKeys } from '../../core/audit/run-keys.ts';
import { builtInRegionCatalog } from '../../core/catalog/region-catalog.ts';
import type { DiagnosedVolume } from '../../core/diagnosis/diagnosed-volume.ts';
import { defaultThresholds } from '../../core/diagnosis/thresholds.ts';
import type { Instance, Volume } from '../../core/inventory.ts';
import { kubernetesOf } from '../../core/kubernetes.ts';
import { digestOf } from '../../core/lifecycle/digest.ts';
import type { MetricQuery } from '../../core/load/metrics.ts';
import { linksTo } from '../../core/report/report-link.ts';
import type { AccountCoverage } from '../../core/schemas/accounts.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { batchSchema } from '../../core/schemas/batch.ts';
import type { Notification } from '../../core/schemas/notification.ts';
import type { HostEvidence } from '../../core/stripes/host-evidence.ts';
import { collectFindings } from '../../lambdas/collect-findings/collect-findings.ts';
import { failuresByBatch } from '../../lambdas/collect-findings/map-failures.ts';
import { targetOf, targetSchema } from '../../lambdas/collect-findings/targets.ts';
import { discoverVolumes } from '../../lambdas/discover-volumes/discover-volumes.ts';
import { type EvaluateFrom, evaluateBatch } from '../../lambdas/evaluate-batch/evaluate-batch.ts';
import { notifyRun } from '../../lambdas/notify-findings/notify-findings.ts';
import { readRun } from '../../lambdas/shared/read-run.ts';
import { digestMail, notificationMail } from '../../report/mail/mail.ts';
import { awsError } from '../adapters/aws/aws-error.ts';
import { anInstance, aVolume, on } from '../fixtures/inventory.ts';
import { Process, World } from '../lambdas/notify-findings/world.ts';
import { type Notified, notifiedOf } from './channels.ts';
import type { PublishedMail } from './mail.ts';

const texts = ['id', 'name', 'tag', 'type', 'host', 'errorCode', 'errorMessage'] as const;
export type UntrustedTexts = Record<(typeof texts)[number], string>;

/** A run of these texts. */
export const untrustedTexts = (text: fc.Arbitrary<string>): fc.Arbitrary<UntrustedTexts> =>
  fc.record(
    Object.fromEntries(texts.map((name) => [name, text])) as Record<keyof UntrustedTexts, typeof text>,
  );

/** Of the endpoint that opens reports. */
const linksBegin = 'https://reports.example/';

const runId = 'run-1';
const region = 'us-east-1';
const account = '111122223333';
const bucket = 'bucket';
const minutes = 60;
const plan = {
  startEpochSeconds: 1_795_046_400,
  endEpochSeconds: 1_795_046_400 + minutes * 60,
  periodSeconds: 60,
};

function inventoryOf({ id, name, tag, type }: UntrustedTexts): { volumes: Volume[]; instances: Instance[] } {
  // No harmless text is a name either: a placeholder stands in the commands of every run.
  const kubernetes =
    kubernetesOf({
      'ebs.csi.aws.com/cluster': 'true',
      'kubernetes.io/created-for/pvc/name': `?${tag}`,
      'kubernetes.io/created-for/pvc/namespace': `?${name}`,
      'kubernetes.io/created-for/pv/name': id,
      KubernetesCluster: tag,
    }) ?? undefined;
  const striped = (i: number, more: Partial<Volume>): Volume =>
    aVolume({ volumeId: `${id}${i}`, name, kubernetes, ...more });
  return {
    volumes: [
      ...[1, 2].map((i) => striped(i, { stripeTag: tag || null, attachments: on(`${id}i`) })),
      ...[3, 4].map((i) => striped(i, { attachments: on(`${id}j`) })),
      striped(5, { volumeType: 'gp2', sizeGiB: 500, iops: 1_500, attachments: on(`${id}j`) }),
      striped(6, { volumeType: `${type}?`, attachments: on(`${id}k`) }),
      striped(7, { attachments: on(`${id}k`) }),
      striped(8, { state: 'available', attachments: [] }),
    ],
    instances: [
      anInstance({ instanceId: `${id}i`, name }),
      anInstance({ instanceId: `${id}j`, name, instanceType: 'm6i.4xlarge' }),
      anInstance({ instanceId: `${id}k`, name, instanceType: `${type}?`, bandwidthWeighting: type }),
    ],
  };
}

const hostsOf = ({ id, host }: UntrustedTexts): Map<string, HostEvidence> => {
  const array = { name: host, kind: 'stripe', chunkKiB: 64, builtWith: 'lvm', mountPoints: [host] } as const;
  return new Map([
    [
      `${id}j`,
      {
        arrays: [{ ...array, mountPoints: [host], memberVolumeIds: [`${id}3`, `${id}4`] }],
        singleVolumeIds: [],
        notes: [{ code: 'device-mapper-unread', text: host }],
      },
    ],
  ]);
};

const errorOf = ({ errorCode, errorMessage }: UntrustedTexts, asked: string): Error =>
  unreadable(asked, awsError(errorCode, errorMessage));

/** Half an hour at its limit, half an hour below; a balance that falls; the last but one attached volume cannot be read. */
const readMetrics =
  (untrusted: UntrustedTexts): EvaluateFrom['readMetrics'] =>
  async (queries, _plan, collectorOf) => {
    const times = Array.from({ length: minutes }, (_, i) => plan.startEpochSeconds + i * 60);
    const busy = (i: number): boolean => i < minutes / 2;
    for (const query of queries) {
      const { resourceId, metric } = query;
      const valueAt = (i: number): number => {
        if (metric === 'VolumeReadOps') return (busy(i) ? 3_000 : 100) * 60;
        if (metric === 'VolumeReadBytes') return (busy(i) ? 3_000 : 100) * 60 * 16_384;
        if (metric === 'VolumeIOPSExceededCheck') return busy(i) ? 1 : 0;
        return metric === 'BurstBalance' ? Math.max(0, 60 - i) : 0;
      };
      collectorOf(query).add(
        resourceId,
        metric,
        times,
        times.map((_, i) => valueAt(i)),
      );
    }
    const reason = errorOf(untrusted, 'cloudwatch:GetMetricData').message;
    collectorOf(queries[0] as MetricQuery).unread(`${untrusted.id}7`, { code: 'metrics-not-read', reason });
    return {
      metricsRequested: queries.length,
      points: queries.length * minutes,
      incomplete: [{ code: 'metrics-not-read', metrics: 1, resources: 1, reason }],
    };
  };

/** What a step of the workflow caught, as Step Functions hands it on. */
const caught = ({ errorCode, errorMessage }: UntrustedTexts): object => ({
  Error: errorCode,
  Cause: JSON.stringify({ errorMessage }),
});

export interface UntrustedRun {
  texts: UntrustedTexts;
  result: AuditResult;
  /** What each volume's diagnosis was, as `--minutes` gets it. */
  diagnosed: DiagnosedVolume[];
  /** Key to body: what lies in S3. */
  stored: Map<string, string>;
  /** What was published on the topic. */
  published: PublishedMail[];
  notified: Notified;
}

async function collected(untrusted: UntrustedTexts, diagnosed: DiagnosedVolume[]): Promise<AuditResult> {
  const inventory = inventoryOf(untrusted);
  const found = await discoverVolumes(
    {
      describeVolumes: async () => inventory.volumes,
      describeInstances: async () => ({ instances: inventory.instances, attachedVolumeIds: [] }),
      listPublishedChecks: () => Promise.reject(errorOf(untrusted, 'cloudwatch:ListMetrics')),
      benchmarkHosts: () => Promise.reject(errorOf(untrusted, 's3:ListBucket')),
      now: () => new Date(plan.endEpochSeconds * 1_000),
      archive: null,
    },
    plan,
    defaultThresholds,
  );
  const batches = found.batches.map((batch) =>
    batchSchema.parse(JSON.parse(JSON.stringify({ ...batch, region, account }))),
  );
  const results = await Promise.all(
    batches.map((batch) =>
      evaluateBatch(
        {
          thresholds: defaultThresholds,
          ...{
            runId,
            batch,
            plan,
            regionCatalogs: builtInRegionCatalog,
            notices: [],
            incomplete: [],
            hosts: hostsOf(untrusted),
          },
          onDiagnosed: (one) => diagnosed.push(one),
        },
        { readMetrics: readMetrics(untrusted), apiCalls: () => 0 },
      ),
    ),
  );
  const lost = batchSchema.parse({
    ...{ region, account },
    volumes: [aVolume({ volumeId: `${untrusted.id}9` })],
    instances: [],
    published: null,
  });
  const refresh = { notices: [], apiCalls: 0 };
  const targets = [
    { account, region, refresh: { failure: caught(untrusted) }, apiCalls: 1, incomplete: found.incomplete },
    { region: 'eu-central-1', refresh, failure: caught(untrusted) },
  ];
  return collectFindings(
    {
      monitoring: null,
      thresholds: defaultThresholds,
      runId,
      plan,
      targets: targets.map((one) => targetOf(targetSchema.parse(one))),
    },
    {
      listBatches: async () => [...batches.map((_, i) => `${i}.json`), 'lost.json'],
      listResults: async () => results.map((_, i) => `${i}.json`),
      readBatch: async () => lost,
      readResult: async (name) => results[Number.parseInt(name, 10)] as AuditResult,
      readFailures: async () =>
        failuresByBatch([{ Input: '{"key":"work/run-1/batches/lost.json"}', ...caught(untrusted) }]),
      readRegionCatalog: async () => ({
        regionCatalog: builtInRegionCatalog(region),
        notices: [],
        incomplete: [],
      }),
    },
  );
}

/** As of an organization in which somebody named accounts and units. */
function ofSeveralAccounts(result: AuditResult, { name, tag, errorMessage }: UntrustedTexts): AuditResult {
  const units = [{ id: 'r-ab12', name: tag }];
  const refused = { code: 'other' as const, reason: errorMessage };
  const listed = { name, units, isNew: true, volumes: result.volumes.length };
  const regions = [{ region, whole: true, refused: null }];
  const accountCoverage: AccountCoverage[] = [
    { ...listed, account, state: 'read', refused: null, regions },
    { ...listed, account: '444455556666', state: 'not-read', refused, regions: [], volumes: 0 },
  ];
  const several = ofAccount(result, account);
  const accountsLeft = [{ account: '777788889999', name, regions: [region] }];
  return {
    ...{ ...several, accountCoverage, accountsLeft },
    findings: withAccounts(result.findings, accountCoverage),
  };
}

const s3 = mockClient(S3Client);
const sns = mockClient(SNSClient);

/** The whole of it. */
export async function untrustedRun(untrusted: UntrustedTexts): Promise<UntrustedRun> {
  const stored = new Map<string, string>();
  s3.reset();
  s3.on(PutObjectCommand).callsFake(({ Key, Body }) => {
    // As bytes and back, as S3 has them.
    stored.set(Key, Buffer.from(Body, 'utf8').toString('utf8'));
    return {};
  });
  s3.on(GetObjectCommand).callsFake(({ Key }) => ({
    Body: { transformToString: async () => stored.get(Key) },
  }));
  sns.reset();
  sns.on(PublishCommand).resolves({});
  const store = new RunStore(new S3Client({ region }), bucket);
  const client = new SNSClient({ region });
  const diagnosed: DiagnosedVolume[] = [];
  const { findings, volumes, ...summary } = await collected(untrusted, diagnosed);
  const keys = runKeys(runId);
  await store.putLines(keys.findings, findings);
  await store.putLines(keys.volumes, volumes);
  const partial = isPartial({ findings, volumes, ...summary });
  await store.putJson(keys.summary, { ...summary, partial, findings: findings.length });
  const result = ofSeveralAccounts(await readRun(store, runId), untrusted);
  const world = new World();
  const { startEpochSeconds, endEpochSeconds } = plan;
  world.nowEpochSeconds = endEpochSeconds;
  const wholes = new Map<string, Notification>();
  await notifyRun(
    { result, location: `s3://${bucket}/${keys.folder}` },
    { by: runId, nowEpochSeconds: endEpochSeconds, rules: { ...world.rules, minSeverity: 'info' } },
    {
      ...world.wired(new Process()),
      keepWhole: async (notification) => {
        const key = `whole/${notification.id}`;
        wholes.set(key, notification);
        return key;
      },
      publish: (notification) =>
        publishJson(client, 'arn:aws:sns:x', notification, notificationMail(notification)),
      linksToReport: async () =>
        linksTo(linksBegin, { kind: 'runs', id: runId, untilEpochSeconds: endEpochSeconds }, 'k'.repeat(64)),
    },
  );
  const digest = digestOf([...world.records.values()], { startEpochSeconds, endEpochSeconds });
  if (digest !== null) await publishJson(client, 'arn:aws:sns:x', digest, digestMail(digest));
  const published = sns.commandCalls(PublishCommand).map(({ args: [{ input }] }) => ({
    Subject: input.Subject ?? '',
    Message: input.Message ?? '',
  }));
  return {
    texts: untrusted,
    result,
    diagnosed,
    stored,
    published,
    notified: await notifiedOf(published, result, wholes),
  };
}
