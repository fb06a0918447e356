/** Reports in which every text that an account, a host or an error has a say in is untrusted. */
import { known } from '../../core/known.ts';
import { auditReport, type ReportWithSeries } from '../../core/report/audit-report.ts';
import type { CardReport } from '../../core/report/card-report.ts';
import { changesOf, compareRuns } from '../../core/report/compare-runs.ts';
import type { Envelope } from '../../core/report/envelope.ts';
import type { ResourceSeries } from '../../core/report/resource-series.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { packedSeries } from '../../report/pages/pack.ts';
import { aFinding, anEvaluation, aRecommendation, aResult, onVolume } from '../fixtures/findings.ts';
import { anOpinion, anOpinionRead } from '../fixtures/second-opinion.ts';
import { campaignCardReport, layoutsCard } from './card-reports.ts';
import { earlierRun } from './earlier-run.ts';
import { untrustedTexts } from './untrusted-texts.ts';

const textAt = (index: number): string => untrustedTexts[index % untrustedTexts.length] as string;

/** Ids are distinguished by their end. */
const volumeIdAt = (index: number): string => `${textAt(index + 1).slice(0, 80)} vol-${index}`;

const findingAt = (index: number): Finding =>
  aFinding({
    id: `finding-${index}`,
    severity: (['critical', 'warning', 'info'] as const)[index % 3] ?? 'info',
    resource: onVolume(volumeIdAt(index), {
      name: textAt(index),
      ...{
        region: textAt(index + 2).slice(0, 40),
        account: textAt(index + 3).slice(0, 40),
        accountName: textAt(index + 4),
      },
    }),
    evidence: {
      worstMember: textAt(index + 6),
      membersConcerned: [textAt(index + 4), textAt(index + 5)],
      members: [textAt(index + 7), textAt(index + 8)],
      throttledMinutesPeak24h: index,
    },
    recommendations: [
      aRecommendation({
        change: { of: 'instance', from: null, to: textAt(index + 9) },
        monthlyUsdDelta: -index,
        steps: [
          { code: 'run', command: textAt(index + 10) },
          { code: 'run-later', command: textAt(index + 11) },
        ],
      }),
    ],
  });

const configured = (volumeType: string) => ({
  ...{ volumeType, sizeGiB: 100, iops: null, throughputMiBps: null },
});

const bins = 20;
const band = { min: new Array(bins).fill(1), max: new Array(bins).fill(2_500) };
const envelope: Envelope = {
  ...{ startEpochSeconds: 1_795_046_400, binSeconds: 300, periodSeconds: 60 },
  endEpochSeconds: 1_795_046_400 + 300 * bins,
  ...{ iops: band, mibps: band, queueLength: band, latencyMs: band, balancePercent: null },
  ...{ ioBalancePercent: null, byteBalancePercent: null, demandIops: null, demandMiBps: null },
  throttled: {
    minutes: new Array(bins).fill(1),
    cause: new Array(bins).fill('volume-iops'),
    minutesByCause: [{ cause: 'volume-iops', minutes: bins }],
    unknownMinutes: new Array(bins).fill(0),
  },
};

const seriesOf = (resourceId: string): ResourceSeries => ({
  ...{ resourceId, kind: 'volume', whole: envelope, closeUp: null, recommended: {} },
  limits: { baselineIops: 3_000, burstIops: 3_000, baselineMiBps: 125, burstMiBps: 125 },
});

/** A volume for each text, each with a finding. */
export function untrustedReport(): ReportWithSeries {
  const findings = untrustedTexts.map((_, index) => findingAt(index));
  const volumes: AuditResult['volumes'] = findings.map(({ id, resource }, index) =>
    anEvaluation({
      ...{ volumeId: volumeIdAt(index), name: textAt(index), region: resource.region },
      ...{ volumeType: textAt(index + 12).slice(0, 40), findings: [id] },
      ...{ monthlyUsd: index, topShareOfLimit: index / untrustedTexts.length },
      throttledMinutesByCause: { 'volume-iops': index },
    }),
  );
  const unknown = untrustedTexts.map((text, index) => ({
    ...{ volumeId: `${text.slice(0, 80)} unknown-${index}`, nothingToRead: false },
    reason: { code: 'metrics-not-read' as const, reason: text },
  }));
  const lost = unknown.map(({ volumeId, reason }, index) =>
    anEvaluation({
      volumeId,
      reason,
      name: textAt(index),
      status: 'unknown',
      limits: null,
      evaluatedBy: null,
    }),
  );
  const result = aResult(findings, {
    runId: textAt(0),
    accountCoverage: untrustedTexts.map((name, index) => ({
      ...{ account: `${100_000_000_000 + index}`, name, isNew: index % 2 === 0, volumes: index },
      units: [{ id: textAt(index + 1), name: textAt(index + 2) }],
      state: index % 2 === 0 ? ('not-read' as const) : ('read' as const),
      refused: index % 2 === 0 ? { code: 'other' as const, reason: textAt(index + 3) } : null,
      regions: [{ region: textAt(index + 4), whole: index % 2 !== 0, refused: null }],
    })),
    volumes: [...volumes, ...lost],
    secondOpinion: untrustedTexts.map((text, index) =>
      anOpinion({
        ...{ volumeId: volumeIdAt(index), name: textAt(index), label: 'not-comparable' },
        ...{ region: textAt(index + 2).slice(0, 40), account: textAt(index + 3).slice(0, 40) },
        reason: { code: 'option-unknown', volumeType: text },
      }),
    ),
    secondOpinionReads: untrustedTexts.map((error) => anOpinionRead({ status: 'failed', error })),
    notices: untrustedTexts.map((reason, index) => ({
      ...{ code: 'checks-not-listed' as const, reason },
      account: `${100_000_000_000 + index}`,
    })),
    stripes: untrustedTexts.map((name, index) => ({
      ...{ stripeId: `${name.slice(0, 40)} stripe-${index}`, name, instanceId: `${name.slice(0, 40)} i` },
      ...{ region: name.slice(0, 40), volumeIds: [volumeIdAt(index)], evidence: 'host' as const },
      ...{ confidence: 'high' as const, kind: name, chunkKiB: 64, builtWith: 'lvm' as const },
      ...{ mountPoints: [name], limits: null },
      unlikeMembers: [
        { volumeId: name, configuration: configured(name), othersConfiguration: configured(name) },
      ],
    })),
    prices: [
      {
        ...{ region: textAt(0), refreshedAt: null, ebsAsOf: null },
        sources: [
          {
            ...{ part: 'ebs' as const, region: textAt(0), asOf: textAt(1), source: textAt(16) },
            insteadOf: null,
          },
        ],
      },
    ],
    coverage: {
      ...{ volumes: volumes.length + lost.length, evaluated: volumes.length, unknown },
      instances: {
        ...{ total: untrustedTexts.length, evaluated: 0 },
        notEvaluated: untrustedTexts.map((reason, index) => ({
          instanceId: textAt(index + 1),
          reason: { code: 'batch-failed' as const, reason },
        })),
      },
      incomplete: untrustedTexts.map((reason) => ({ code: 'instances-not-read' as const, reason })),
      ...{ metricsWithoutResource: [...untrustedTexts] },
    },
  });
  const series = findings.map(({ resource }) => packedSeries(seriesOf(resource.id)));
  const { report, ...others } = auditReport(result, series, {
    madeAt: '2026-11-20T00:00:00Z',
    label: textAt(6),
    comparison: known(changesOf(compareRuns(earlierRun(result), result))),
  });
  return { report, ...others };
}

/** Tests and cells by these names; a campaign whose hosts failed by these errors. */
export function untrustedCard(): CardReport {
  const { grades } = layoutsCard();
  const { campaign } = campaignCardReport();
  const [test, curve, compared, cell] = [
    grades.tests[4],
    grades.curves[0],
    grades.comparison[0],
    campaign?.cells[0],
  ];
  if (!test || !curve || !compared || !campaign || !cell) throw new Error('the card lacks a part');
  // Two runs to compare; more would be columns.
  const runAt = (index: number): string => textAt(index % 2);
  return {
    ...{ version: 1, madeAt: '2026-11-22T13:00:00Z', title: textAt(0), label: textAt(6) },
    grades: {
      tests: untrustedTexts.map((name, index) => ({
        ...test,
        ...{
          run: runAt(index),
          name,
          why: {
            latency: { code: 'paced' as const, option: 'rate' as const, value: textAt(index + 1) },
            scaling: null,
          },
          error: index % 3 === 0 ? ({ code: 'fio-error', errno: index } as const) : null,
        },
        ...{ limitReason: { code: 'device-silent' as const, deviceSays: textAt(index + 3) }, limit: null },
        members: test.members.map((member) => ({ ...member, volumeId: name, device: textAt(index + 4) })),
      })),
      curves: [0, 1].map((index) => ({ ...curve, run: runAt(index) })),
      comparison: untrustedTexts.map((name) => ({
        ...compared,
        name,
        runs: compared.runs.map((run, index) => ({ ...run, run: runAt(index) })),
      })),
      repeats: untrustedTexts.map((name) => ({
        ...{ name, access: null, blockKiB: null, users: null, runs: 3 },
        ...{ iops: { mean: 1, low: null, high: null }, p95Ms: null },
      })),
      notes: untrustedTexts.map((first, lines) => ({
        ...{ code: 'odd-log-lines' as const, file: textAt(lines), lines, first },
      })),
    },
    campaign: {
      ...campaign,
      ...{ campaignId: textAt(0), region: textAt(1), findingId: textAt(2) },
      ...{ notes: untrustedTexts.map((text) => ({ code: 'of-region-catalog' as const, text })) },
      cells: untrustedTexts.map((message, index) => ({
        ...cell,
        ...{
          id: `${textAt(index + 1)} ${index}`,
          layout: textAt(index + 2),
          instanceType: textAt(index + 3),
        },
        status: 'failed' as const,
        failure: { step: textAt(index + 5), error: textAt(index + 6), message },
        leftBehind: { step: 'End its host', error: null, message: textAt(index + 4) },
      })),
    },
  };
}
