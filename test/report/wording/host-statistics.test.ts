/** What hosts counted reads as one short sentence in Evidence, and says for itself what the confidence rests on. */
import type { HostStatistics } from '../../../core/host/host-statistics.ts';
import { findingLines } from '../../../report/wording/finding-lines.ts';
import { hostStatisticsText } from '../../../report/wording/host-statistics.ts';
import { aFinding } from '../../fixtures/findings.ts';
import { tooLong } from '../../fixtures/sentences.ts';

const confirming: HostStatistics = {
  ...{ says: 'confirms', reason: null, limits: ['volume-iops'], volumeId: 'vol-0123456789abcdef0' },
  ...{ exceededSeconds: 3_240, throttledMinutes: 60, confidenceBefore: 'medium' },
  ...{ start: '2026-11-28T02:00:00Z', end: '2026-11-28T14:00:00Z' },
};

const evidenceLine = (hostStatistics: HostStatistics, confidence: 'low' | 'medium' | 'high') => {
  const evidence = { throttledMinutesPeak24h: 60, throttledMinutesInPeakHour: 60, hostStatistics };
  const finding = aFinding({ kind: 'throttled-volume-iops', confidence, provisional: false, evidence });
  return findingLines(finding).find(({ label }) => label === 'Evidence')?.text;
};

test.each<[Partial<HostStatistics>, 'low' | 'medium' | 'high', string]>([
  [
    {},
    'high',
    "Throttled 60 min in the peak 24 h. Confidence high. The host's NVMe statistics confirm it: 3,240 s above the volume's IOPS between 28 Nov 02:00 and 14:00 UTC.",
  ],
  [
    { confidenceBefore: 'high', end: '2026-11-29T01:00:00Z' },
    'high',
    "Throttled 60 min in the peak 24 h. Confidence high: VolumeIOPSExceededCheck. The host's NVMe statistics confirm it: 3,240 s above the volume's IOPS between 28 Nov 02:00 UTC and 29 Nov 01:00 UTC.",
  ],
  [
    { says: 'refutes', exceededSeconds: 0 },
    'low',
    "Throttled 60 min in the peak 24 h. Confidence low. The host's NVMe statistics refute it: 0 s above the volume's IOPS between 28 Nov 02:00 and 14:00 UTC.",
  ],
  [
    { says: 'says-nothing', reason: 'few-minutes' },
    'medium',
    'Throttled 60 min in the peak 24 h. Confidence medium: its rate and its queue length.',
  ],
])('%j at %s', (more, confidence, text) => {
  const line = evidenceLine({ ...confirming, ...more }, confidence);
  expect(line).toBe(text);
  expect(tooLong([line ?? ''])).toEqual([]);
});

test('where they say nothing, the details say why', () => {
  const nothing = { ...confirming, says: 'says-nothing', exceededSeconds: 0.05 } as const;
  expect(hostStatisticsText({ ...nothing, reason: 'few-minutes', throttledMinutes: 3 })).toBe(
    "The host's NVMe statistics neither confirm nor refute it: between the readings it was throttled for under 5 min. They count under 0.1 s above the volume's IOPS between 28 Nov 02:00 and 14:00 UTC, CloudWatch 3 min.",
  );
  expect(
    hostStatisticsText({
      ...nothing,
      ...{ reason: 'host-restarted', exceededSeconds: null, throttledMinutes: null, start: null, end: null },
    }),
  ).toBe(
    "The host's NVMe statistics neither confirm nor refute it: the host was started between the readings.",
  );
});

test('above one of two limits', () => {
  expect(hostStatisticsText({ ...confirming, limits: ['instance-iops', 'instance-throughput'] })).toContain(
    "3,240 s above the instance's IOPS or the instance's throughput between",
  );
});
