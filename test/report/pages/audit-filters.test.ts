/** Which rows of the audit's page a filter lets through, and in which order they stand. */
import { bestSavingOf } from '../../../core/report/top-recommendations.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import {
  filteredFindings,
  filteredVolumes,
  searchableFinding,
  searchableVolume,
} from '../../../report/browser/audit/filters.ts';
import { noFindingFilter, noVolumeFilter } from '../../../report/browser/audit/page-state.ts';
import { sorted } from '../../../report/browser/shared/sorting.ts';
import { aFinding, anEvaluation, aRecommendation, onVolume } from '../../fixtures/findings.ts';

const priced = (monthlyUsdDelta: number | null) => aRecommendation({ monthlyUsdDelta });

const findings: Finding[] = [
  aFinding({
    ...{ id: 'slow', severity: 'critical' },
    limit: { what: 'maximum', value: 6_000, unit: 'IOPS', scope: 'volume' },
    resource: { ...aFinding().resource, tags: { team: 'orders', env: 'prod' } },
  }),
  aFinding({
    ...{ id: 'both', severity: 'critical' },
    recommendations: [priced(2), priced(-7)],
  }),
  aFinding({ id: 'unpriced', kind: 'idle', recommendations: [priced(null)] }),
  aFinding({
    id: 'dear',
    kind: 'cheaper-type',
    recommendations: [priced(-4), priced(-9)],
    resource: onVolume('vol-2', { name: 'Archive of DB', region: 'eu-central-1', accountName: 'Lab' }),
  }),
];
const shown = (filter: Partial<typeof noFindingFilter>): string[] =>
  filteredFindings(findings.map(searchableFinding), { ...noFindingFilter, ...filter }).map(({ id }) => id);

test.each([
  [{}, ['slow', 'both', 'unpriced', 'dear']],
  [{ severity: 'critical' }, ['slow', 'both']],
  [{ kind: 'cheaper-type' }, ['dear']],
  [{ region: 'eu-central-1' }, ['dear']],
  [{ account: '111122223333' }, ['slow', 'both', 'unpriced']],
  [{ account: 'not known' }, ['dear']],
  [{ about: 'savings' }, ['both', 'dear']], // an option below zero, whatever the kind,
  [{ about: 'trouble' }, ['slow', 'both']],
  [{ about: 'savings', severity: 'critical' }, ['both']],
  [{ about: 'no such' }, []],
  [{ severity: 'no such' }, []],
  [{ tag: 'env=prod' }, ['slow']],
  [{ tag: 'env=pro' }, []],
  [{ tag: 'env=prod', about: 'savings' }, []],
])('%j shows %j', (filter, ids) => {
  expect(shown(filter)).toEqual(ids);
});

test.each([
  ['vol-2', ['dear']],
  ['archive', ['dear']],
  ['lab', ['dear']], // the name of its account
  ['maximum of 6,000', ['slow']],
  ['cheaper type', ['dear']],
  ['  IOPS   6,000 ', ['slow']],
  ['6,000 archive', []],
  ['.*', []],
  ['team=orders', ['slow']],
  ['', ['slow', 'both', 'unpriced', 'dear']],
])('"%s" is searched as words in ids, names, tags, kinds and lines', (text, ids) => {
  expect(shown({ text })).toEqual(ids);
});

test('the best saving of a finding is that of its cheapest option', () => {
  expect(findings.map(bestSavingOf)).toEqual([null, -7, null, -9]); // +5 alone; +2 or -7; no price; -4 or -9
});

test('volumes are found by their name, type, Region, account and evaluation', () => {
  const volumes = [
    anEvaluation({ volumeId: 'vol-1', name: null, volumeType: 'gp2', account: '111122223333' }),
    anEvaluation({ volumeId: 'vol-2', name: 'Logs', status: 'unknown', reason: { code: 'no-operations' } }),
  ].map(searchableVolume);
  const ids = (filter: Partial<typeof noVolumeFilter>): string[] =>
    filteredVolumes(volumes, { ...noVolumeFilter, ...filter }).map(({ volumeId }) => volumeId);
  expect(ids({ text: 'logs' })).toEqual(['vol-2']);
  expect(ids({ text: 'datapoints' })).toEqual(['vol-2']);
  expect(ids({ type: 'gp2' })).toEqual(['vol-1']);
  expect(ids({ account: '111122223333' })).toEqual(['vol-1']);
  expect(ids({ account: '444455556666' })).toEqual([]);
  expect(ids({ status: 'unknown' })).toEqual(['vol-2']);
  expect(ids({ region: 'us-east-1' })).toEqual(['vol-1', 'vol-2']);
});

describe('the order', () => {
  const order = (values: (string | number | null)[], descending = false) =>
    sorted(values, (value) => value, descending);

  test('figures sort by size, and zero is one of them', () => {
    expect(order([10, 9, 0, 100])).toEqual([0, 9, 10, 100]);
    expect(order([10, 9, 0, 100], true)).toEqual([100, 10, 9, 0]);
  });

  test('what is not known stands last in either direction', () => {
    expect(order([null, 2, 1])).toEqual([1, 2, null]);
    expect(order([null, 2, 1], true)).toEqual([2, 1, null]);
  });

  test('names with numbers sort as people count', () => {
    expect(order(['db-10', 'db-9'])).toEqual(['db-9', 'db-10']);
  });

  test('equal rows keep their order in either direction', () => {
    const rows = ['a', 'b', 'c'];
    expect(sorted(rows, () => 1, true)).toEqual(rows);
  });
});
