/** What a change does to the measured load: over all days, and in the 24 hours with the most. */
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { checkedOf } from '../../../core/check/checked.ts';
import { measuredLoad } from '../../../core/check/rules/measured-load.ts';
import { Offers } from '../../../core/check/rules/rule.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { Layout } from '../../../core/plan/layout.ts';
import { checkFindingText } from '../../../report/wording/check-finding.ts';
import { aVolume, plannedOf } from '../../fixtures/planned.ts';

const layout = (iops: number, throughputMiBps: number): Layout => ({
  ...{ kind: 'single', members: 1, chunkKiB: null, volumeType: 'gp3', sizeGiB: 500 },
  ...{ iops, throughputMiBps },
});

interface Minutes {
  before: number;
  after: number;
}

/** 3,000 IOPS and 500 MiB/s become 6,000 and 125, on 30 days of metrics. */
function found(aDay: Minutes, peak24h: Minutes) {
  const to = { type: 'gp3', gib: 500, iops: 6_000, mibps: 125 };
  const checked = checkedOf(plannedOf(aVolume(to, { ...to, iops: 3_000, mibps: 500 }, {})), null);
  const [planned] = checked.volumes;
  if (planned === undefined) throw new Error('one volume is planned');
  const { findings } = measuredLoad.check(checked, {
    ...{ offers: new Offers(builtInRegionCatalog), thresholds: defaultThresholds, loadClass: null },
    measured: [
      {
        ...{ planned, volumeId: 'vol-0a', from: layout(3_000, 500), to: layout(6_000, 125), enough: null },
        ...{ throttledMinutesADayBefore: aDay.before, throttledMinutesADayAfter: aDay.after },
        ...{ throttledMinutesPeak24hBefore: peak24h.before, throttledMinutesPeak24hAfter: peak24h.after },
        ...{ addedMinutesPeak24h: Math.max(0, peak24h.after), deployment: 'region', measuredDays: 30 },
      },
    ],
  });
  return findings.map(({ finding }) => ({ severity: finding.severity, text: checkFindingText(finding) }));
}

test('fewer minutes on most days and more in the peak 24 h: it is found, and the peak is what is said', () => {
  const [finding] = found({ before: 26, after: 10 }, { before: 33, after: 95 });
  expect(finding?.severity).toBe('critical'); // 95 of them, from 60 on
  expect(finding?.text.problem).toMatch(/: 95 throttled minutes in the peak 24 h instead of 33\.$/);
  expect(finding?.text.evidence).toMatch(/Mean of the days: 10 throttled minutes instead of 26\.$/);
  expect(finding?.text.effect).toBe(
    'At most 33 throttled minutes in the peak 24 h instead of 95 (simulated).',
  );
});

test('more minutes on most days and fewer in the peak 24 h: the mean is what is said', () => {
  const [finding] = found({ before: 10, after: 26 }, { before: 95, after: 33 });
  expect(finding?.text.problem).toMatch(/: 26 throttled minutes a day instead of 10\.$/);
  expect(finding?.text.evidence).toMatch(/Peak 24 h: 33 throttled minutes\.$/);
});

test.each([
  ['both fall', { before: 26, after: 10 }, { before: 95, after: 33 }],
  ['the peak rises by less than a minute', { before: 26, after: 10 }, { before: 33, after: 33.9 }],
  ['both stay', { before: 10, after: 10 }, { before: 33, after: 33 }],
])('%s: nothing is found', (_, aDay, peak24h) => {
  expect(found(aDay, peak24h)).toEqual([]);
});
