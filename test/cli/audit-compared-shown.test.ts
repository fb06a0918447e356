/** `audit --compare-with FILE`: what each output shows of it, from the file to the page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import { day, describeVolumes, getMetricData, load } from '../fixtures/aws-cli.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { minutes, vol } from './one-volume.ts';
import { runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const detached = 'vol-0123456789abcdef2';

const configuration = (volumeType: string, iops: number, throughput: number) => ({
  ...{ volumeType, volumeSize: 100, volumeBaselineIOPS: iops, volumeBurstIOPS: iops },
  ...{ volumeBaselineThroughput: throughput, volumeBurstThroughput: throughput },
});

/** 2,500 IOPS for two hours: a gp2 of 100 GiB has 300, and credits for 41 minutes (5.4 million / (2,500 - 300) s). */
const files = [
  '--volumes',
  directory.write(
    'volumes.json',
    describeVolumes(
      { Size: 100, Tags: [{ Key: 'Name', Value: 'orders' }] },
      { VolumeId: detached, State: 'available', Attachments: [], Size: 500 },
    ),
  ),
  '--metrics',
  directory.write('metrics.json', getMetricData(...load(vol, day(60, minutes(100, 220, 2_500 * 60))))),
  '--compare-with',
  directory.write(
    'recommendations.json',
    JSON.stringify({
      volumeRecommendations: [
        {
          volumeArn: `arn:aws:ec2:us-east-1:111122223333:volume/${vol}`,
          ...{ accountId: '111122223333', finding: 'NotOptimized', lookBackPeriodInDays: 14 },
          currentConfiguration: configuration('gp3', 3_000, 125),
          volumeRecommendationOptions: [
            { rank: 1, performanceRisk: 1, configuration: configuration('gp2', 300, 128) },
          ],
          lastRefreshTimestamp: '2026-11-20T12:00:00Z',
        },
      ],
    }),
  ),
];

const audited = async (...options: string[]): Promise<string> => {
  const { code, out, err } = await runCli('audit', ...files, ...options);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
};

test('an unsafe recommendation leads the headline, the table and the document', async () => {
  const { secondOpinion = [] } = auditResultSchema.parse(JSON.parse(await audited('--json')));
  const row = secondOpinion.find(({ volumeId }) => volumeId === vol);
  expect(row).toMatchObject({ label: 'unsafe', reason: { code: 'throttled-if-followed' } });
  const throttled = row?.throttledMinutesIfFollowed ?? 0;
  // 120 minutes less the 41 on credits; what is not served at once is served after it.
  expect(throttled).toBeGreaterThan(70);
  const lines = (await audited()).split('\n');
  expect(lines[1]).toMatch(/^Compared with AWS Compute Optimizer: 1 unsafe, .*1 unseen/);
  expect(lines.join('\n')).toMatch(/unsafe +vol-\w+ +orders .*gp2. It would throttle up to /);
});

test('the page has its totals also where no script runs', async () => {
  const page = join(directory.path, 'report.html');
  const { code } = await runCli('audit', ...files, '--html', page);
  expect(code).toBe(0);
  const [, withoutScript = ''] = readFileSync(page, 'utf8').split(/<\/?noscript>/);
  expect(withoutScript).toContain('<p>Compared with AWS Compute Optimizer: 1 unsafe, 1 unseen.</p>');
});

test('--top 0 hides no row without a word; Markdown has a table of its own', async () => {
  expect(await audited('--top', '0')).toContain('... and 2 volumes that do not agree (--top N shows them)');
  expect(await audited('--format', 'markdown')).toMatch(/\| unsafe \| vol-\w+ "orders" us-east-1 \| gp2 \|/);
});
