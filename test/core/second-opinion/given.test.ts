/** What was read of other services, beside an inventory: whose rows they are, and what became of the others. */

import { idsToSimulate, matched, notRead, opinionsOfBatch } from '../../../core/second-opinion/given.ts';
import {
  computeOptimizerPageSchema,
  computeOptimizerRows,
} from '../../../core/second-opinion/recommendations.ts';
import { aVolume } from '../../fixtures/inventory.ts';
import { arnOf, ebs, ebsRow, notOptimized } from '../../fixtures/recommendations.ts';

const vol = (last: number): string => `vol-0123456789abcdef${last}`;
const gp3 = ebs('gp3', 100, 3_000, 125);
const rows = (...all: object[]) => computeOptimizerRows([{ volumeRecommendations: all }]);
const asked = { accounts: ['111122223333'], account: '111122223333', region: 'us-east-1' };
const file = { accounts: ['111122223333'], account: null, region: null };

test('rows of other accounts and of volumes that are gone are counted, not compared', () => {
  const { given, read } = matched(
    rows(
      ebsRow(vol(0)),
      ebsRow(vol(1)),
      ebsRow(vol(2), { volumeArn: arnOf(vol(2), 'us-east-1', '999988887777'), accountId: '999988887777' }),
      ebsRow('x', { volumeArn: 'arn:aws:rds:us-east-1:1:db:x' }),
      {},
    ),
    { volumes: [aVolume({ volumeId: vol(0) })], ...asked },
  );
  expect(given.recommendations.map(({ volumeId }) => volumeId)).toEqual([vol(0)]);
  expect(read).toEqual({
    source: 'compute-optimizer',
    ...{ account: '111122223333', region: 'us-east-1', status: 'read', error: null },
    ...{ recommendations: 1, rdsRows: 1, otherAccounts: 1, unmatched: 1, otherRows: 1 },
  });
});

test('of files that name no account all others are unmatched', () => {
  const { read } = matched(rows(ebsRow(vol(1))), { volumes: [], ...file, accounts: null });
  expect(read).toMatchObject({ status: 'read', otherAccounts: 0, unmatched: 1, recommendations: 0 });
});

test.each([
  ['Region', arnOf(vol(0), 'eu-west-1'), '111122223333', { unmatched: 1 }],
  ['account', arnOf(vol(0), 'us-east-1', '999988887777'), '999988887777', { otherAccounts: 1 }],
])('a row of another %s is of no volume here, though the id is one', (_, volumeArn, accountId, counts) => {
  const volumes = [aVolume({ volumeId: vol(0), account: '111122223333' })];
  const { given, read } = matched(rows(ebsRow(vol(0), { volumeArn, accountId })), { volumes, ...file });
  expect(given.recommendations).toEqual([]);
  expect(read).toMatchObject({ recommendations: 0, ...counts });
});

test('nothing is empty', () => {
  expect(matched(rows(), { volumes: [], ...asked }).read).toMatchObject({
    status: 'empty',
    recommendations: 0,
  });
});

test('an answer without rows that has an error failed, by its code; beside rows the error is of others', () => {
  const errors = [{ identifier: '111122223333', code: 'InternalError', message: 'later' }, { code: 7 }];
  const read = (volumeRecommendations: object[]) =>
    matched(computeOptimizerRows([computeOptimizerPageSchema.parse({ volumeRecommendations, errors })]), {
      volumes: [aVolume({ volumeId: vol(0) })],
      ...file,
    }).read;
  expect(read([])).toMatchObject({ status: 'failed', error: 'InternalError: later (111122223333)' });
  expect(read([ebsRow(vol(0))])).toMatchObject({ status: 'read', error: null, recommendations: 1 });
});

test('the account was asked of all its volumes; a file is of the Regions that it names', () => {
  const some = rows(ebsRow(vol(0), { volumeArn: arnOf(vol(0), 'eu-central-1') }));
  expect(matched(some, { volumes: [], ...asked }).given.regions).toBeNull();
  expect(matched(some, { volumes: [], ...file }).given.regions).toEqual(['eu-central-1']);
  expect(matched(rows(), { volumes: [], ...file }).given.regions).toEqual([]);
});

test('of a volume that comes twice the latest counts', () => {
  const older = ebsRow(vol(0), { lastRefreshTimestamp: '2026-11-18T00:00:00Z' });
  const newer = notOptimized(vol(0), gp3, ebs('gp3', 100, 4_000, 125));
  for (const both of [rows(older, newer), rows(newer, older)])
    expect(
      matched(both, { volumes: [aVolume({ volumeId: vol(0) })], ...asked }).given.recommendations,
    ).toMatchObject([{ action: 'change' }]);
});

test('a batch gets the rows of its volumes, and their loads are to be read where something would change', () => {
  const { given } = matched(rows(ebsRow(vol(0)), notOptimized(vol(1), gp3, gp3)), {
    volumes: [aVolume({ volumeId: vol(0) }), aVolume({ volumeId: vol(1) })],
    ...asked,
  });
  expect(idsToSimulate([given])).toEqual(new Set([vol(1)]));
  expect(idsToSimulate()).toEqual(new Set());
  expect(opinionsOfBatch([given], [{ volumeId: vol(0) }])).toEqual([
    { ...given, recommendations: [given.recommendations.find(({ volumeId }) => volumeId === vol(0))] },
  ]);
});

test('who refuses is said', () => {
  expect(notRead({ source: 'compute-optimizer', account: '1', region: 'x' }, 'denied', 'no')).toMatchObject({
    ...{ status: 'denied', error: 'no', recommendations: 0 },
  });
});
