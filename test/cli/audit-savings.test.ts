/** What a volume could cost less, through the command line. */
import { day, load } from '../fixtures/aws-cli.ts';
import { commandsOf } from '../fixtures/findings.ts';
import { auditOf, calm, minutes, vol } from './one-volume.ts';

const busy = minutes(600, 660, 480_000); // 8,000 IOPS for an hour

test('gp3 with 16,000 IOPS of which 8,000 were seen: 10,000 would do', async () => {
  const { findings, volumes } = await auditOf(
    { Size: 100, Iops: 16_000, Throughput: 250 },
    load(vol, day(calm, busy)),
  );
  expect(volumes[0]?.status).toBe('healthy'); // it could cost less: that is no trouble
  const saving = findings.find(({ kind }) => kind === 'over-provisioned');
  // 8,000 x 1.25 = 10,000 IOPS, and 8,000 x 16 KiB = 125 MiB/s, x 1.25 = 157:
  // 6,000 x 0.005 + (250 - 157) x 0.04 = 33.72
  expect(saving).toMatchObject({
    severity: 'warning',
    evidence: { peakIops: 8_000, peakMiBps: 125, recommendedIops: 10_000, recommendedThroughputMiBps: 157 },
    recommendations: [{ monthlyUsdDelta: -33.72 }],
  });
  expect(commandsOf(saving?.recommendations[0]).join('\n')).toMatch(
    `--volume-id ${vol} --volume-type gp3 --size 100 --iops 10000 --throughput 157`,
  );
});

test('gp3 that is sized for its load: only a stripe would cost less', async () => {
  const { findings } = await auditOf(
    { Size: 100, Iops: 10_000, Throughput: 157 },
    load(vol, day(calm, busy)),
  );
  expect(findings.map(({ kind }) => kind)).toEqual(['cheaper-stripe']);
});

test('on an instance that nobody described nothing is saved: what it did may be all that the instance let it do', async () => {
  const { findings } = await auditOf(
    { Size: 100, Iops: 16_000, Throughput: 250 },
    load(vol, day(calm, busy)),
    { Reservations: [] },
  );
  expect(findings.map(({ kind }) => kind)).toEqual([]);
});
