import { mostUrgentFirst } from '../../../core/report/top-recommendations.ts';
import { aFinding } from '../../fixtures/findings.ts';

const draining = (id: string, secondsToEmpty: number) =>
  aFinding({ id, kind: 'credits-will-exhaust', evidence: { secondsToEmpty } });

test('critical first; then the least time left, what goes on, what had the most minutes', () => {
  const order = [
    aFinding({ id: 'over', severity: 'critical', evidence: { throttledMinutesPeak24h: 200 } }),
    draining('in 39 min', 2_340),
    draining('in 101 min', 6_060),
    aFinding({ id: 'goes on', evidence: { throttledMinutesOfLastFive: 3, throttledMinutesPeak24h: 8 } }),
    aFinding({ id: 'most', evidence: { throttledMinutesOfLastFive: 0, throttledMinutesPeak24h: 59 } }),
    aFinding({ id: 'fewer', evidence: { throttledMinutesOfLastFive: 0, throttledMinutesPeak24h: 7 } }),
    aFinding({ id: 'unused', severity: 'info', evidence: {} }),
  ];
  const ids = (findings: typeof order): string[] => findings.map(({ id }) => id);
  expect(ids([...order].reverse().sort(mostUrgentFirst))).toEqual(ids(order));
});
