/** The orders that findings are listed in. */
import type { Finding } from '../../../core/schemas/finding.ts';
import { inOrder } from '../../../report/terminal/finding-order.ts';
import { aFinding, aRecommendation, onVolume } from '../../fixtures/findings.ts';

interface Some {
  severity?: Finding['severity'];
  minutes?: number;
  deltas?: (number | null)[];
  name?: string | null;
}

const one = (id: string, { severity = 'warning', minutes, deltas = [], name = null }: Some): Finding =>
  aFinding({
    ...{ id, severity, resource: onVolume(id, { name }) },
    evidence: minutes === undefined ? {} : { throttledMinutesPeak24h: minutes },
    recommendations: deltas.map((monthlyUsdDelta) => aRecommendation({ monthlyUsdDelta })),
  });

const idsOf = (findings: readonly Finding[]): string[] => findings.map(({ id }) => id);

test('impact: severity, then throttled minutes; of equals by the id, what has none last', () => {
  const findings = [
    one('none', {}),
    one('few', { minutes: 12 }),
    one('info', { severity: 'info', minutes: 1_440 }),
    one('zero', { minutes: 0 }),
    one('critical', { severity: 'critical', minutes: 1 }),
    one('many', { minutes: 1_000 }),
    one('as few', { minutes: 12 }),
  ];
  expect(idsOf(inOrder(findings, 'impact'))).toEqual([
    ...['critical', 'many', 'as few', 'few', 'zero', 'none', 'info'],
  ]);
});

test('savings: the largest of any option first, then what saves nothing, by impact', () => {
  const findings = [
    one('costs', { deltas: [5] }),
    one('second option', { deltas: [20, -100] }),
    one('small', { severity: 'critical', deltas: [-1] }),
    one('unknown', { severity: 'critical', deltas: [null] }),
    one('large', { severity: 'info', deltas: [-269] }),
  ];
  expect(idsOf(inOrder(findings, 'savings'))).toEqual([
    ...['large', 'second option', 'small', 'unknown', 'costs'],
  ]);
});

test('name: by the Name tag, without one by the id; numbers in them count', () => {
  const findings = [
    one('vol-2', { name: 'db 10' }),
    one('vol-9', { name: '' }),
    one('vol-1', { name: 'db 2' }),
    one('abc', {}),
    one('vol-3', { name: 'Alpha' }),
  ];
  expect(idsOf(inOrder(findings, 'name'))).toEqual(['abc', 'vol-3', 'vol-1', 'vol-2', 'vol-9']);
});
