/** Recommendations of other services, from what they answer and export: each row becomes one, or is counted as what it is. */

import fc from 'fast-check';
import type { VolumeRecommendation } from '../../../core/schemas/volume-recommendation.ts';
import {
  computeOptimizerRows,
  exportedRows,
  hubRows,
  isExportOfRds,
  isExportOfVolumes,
  opinionConfiguration,
} from '../../../core/second-opinion/recommendations.ts';
import {
  arnOf,
  ebs,
  ebsRow,
  hubRow,
  notOptimized,
  option,
  refreshed,
} from '../../fixtures/recommendations.ts';

const vol = 'vol-0123456789abcdef0';
const gp3 = { volumeType: 'gp3', sizeGiB: 100, iops: 3_000, throughputMiBps: 125 };

const rowOf = (row: unknown): VolumeRecommendation => {
  const { rows } = computeOptimizerRows([{ volumeRecommendations: [row] }]);
  expect(rows).toHaveLength(1);
  return rows[0] as VolumeRecommendation;
};

describe('Compute Optimizer', () => {
  test('a volume that is optimized is kept', () => {
    expect(rowOf(ebsRow(vol))).toEqual({
      source: 'compute-optimizer',
      volumeId: vol,
      account: '111122223333',
      region: 'us-east-1',
      action: 'keep',
      current: gp3,
      options: [],
      lookBackDays: 14,
      lastRefreshed: refreshed,
    });
  });

  test('fields that are left out are not known, and the row stays', () => {
    const gp2 = { configuration: { volumeType: 'gp2', volumeSize: 100 } };
    expect(
      rowOf({ volumeArn: arnOf(vol), finding: 'NotOptimized', volumeRecommendationOptions: [gp2] }),
    ).toMatchObject({
      ...{ volumeId: vol, action: 'change', current: null, lookBackDays: null, lastRefreshed: null },
      options: [{ rank: 1, configuration: { volumeType: 'gp2', sizeGiB: 100 }, performanceRisk: null }],
    });
  });

  test('options come by rank, whatever their order', () => {
    const row = ebsRow(vol, {
      finding: 'NotOptimized',
      volumeRecommendationOptions: [
        option(ebs('io2', 100, 5_000, 1_000), 2),
        option(ebs('gp3', 100, 3_000, 125), 1),
      ],
    });
    const { action, options } = rowOf(row);
    expect(action).toBe('change');
    expect(options.map(({ rank, configuration }) => [rank, configuration?.volumeType])).toEqual([
      [1, 'gp3'],
      [2, 'io2'],
    ]);
    expect(options[0]).toMatchObject({ performanceRisk: 1, monthlyUsdSaving: 2.5, configuration: gp3 });
  });

  test.each<[string, unknown, string | null]>([
    ['the CLI', '2026-11-19T06:00:00+00:00', refreshed],
    ['an older CLI', 1_795_068_000, refreshed],
    ['its fraction', 1_795_068_000.5, '2026-11-19T06:00:00.500Z'],
    ['the SDK', new Date(refreshed), refreshed],
    ['another zone', '2026-11-19T07:00:00+01:00', refreshed],
    ['no time', 'yesterday', null],
    ['nothing', undefined, null],
    ['a date that is none', new Date(Number.NaN), null],
  ])('the time of %s', (_, lastRefreshTimestamp, expected) => {
    expect(rowOf(ebsRow(vol, { lastRefreshTimestamp })).lastRefreshed).toBe(expected);
  });

  test.each<[string, object]>([
    ['a type of tomorrow', ebs('gp4', 100, 3_000, 125)],
    ['no IOPS', ebs('gp3', 100, undefined, 125)],
    ['IOPS that are no number', ebs('gp3', 100, Number.NaN, 125)],
    ['negative throughput', ebs('gp3', 100, 3_000, -1)],
    ['no size', ebs('gp2', 0, 300, 128)],
    ['no figures at all', {}],
  ])('an option with %s is there, and not known', (_, configuration) => {
    const { action, options } = rowOf(notOptimized(vol, ebs('gp3', 100, 3_000, 125), configuration));
    expect(action).toBe('change');
    expect(options.map((one) => one.configuration)).toEqual([null]);
  });

  test('rows of RDS and of what is no volume are counted', () => {
    const counted = computeOptimizerRows([
      {
        volumeRecommendations: [
          ebsRow(vol),
          ebsRow('x', { volumeArn: 'arn:aws:rds:us-east-1:111122223333:db:orders' }),
          ebsRow('x', { volumeArn: arnOf('../../etc/passwd') }),
          ebsRow('x', { volumeArn: `${arnOf(vol)}\u001b[31m` }),
          ebsRow('x', { volumeArn: 7 }),
          null,
          'text',
        ],
      },
      { rdsDBRecommendations: [{}, {}] },
    ]);
    expect(counted.rows.map(({ volumeId }) => volumeId)).toEqual([vol]);
    expect([counted.rdsRows, counted.otherRows]).toEqual([1 + 2, 5]);
  });
});

describe('the exported CSV', () => {
  const header = [
    ...['accountId', 'volumeArn', 'finding', 'lookbackPeriodInDays', 'lastRefreshTimestamp_UTC'],
    ...['currentConfiguration_volumeType', 'currentConfiguration_volumeSize'],
    ...['currentConfiguration_volumeBaselineIOPS', 'currentConfiguration_volumeBaselineThroughput'],
    ...['recommendations_count', 'recommendationOptions_1_configuration_volumeType'],
    'recommendationOptions_1_configuration_volumeSize',
    'recommendationOptions_1_configuration_volumeBaselineIOPS',
    'recommendationOptions_1_configuration_volumeBaselineThroughput',
    ...['recommendationOptions_1_performanceRisk', 'recommendationOptions_1_estimatedMonthlySavings_value'],
    ...['recommendationOptions_2_configuration_volumeType', 'errorCode'],
  ];
  const line = [
    ...['111122223333', arnOf(vol), 'NotOptimized', '14', '2026-11-19 06:00:00'],
    ...['gp2', '100', '300', '128'],
    ...['1', 'gp3', '100', '3000', '125', '2.0', '-0.40', '', ''],
  ];

  test.each([
    ['as it is exported', header],
    ['with its columns in small letters', header.map((name) => name.toLowerCase())],
  ])('%s', (_, names) => {
    expect(exportedRows(names, [line])).toEqual({
      source: 'compute-optimizer',
      rdsRows: 0,
      otherRows: 0,
      rows: [
        {
          source: 'compute-optimizer',
          ...{ volumeId: vol, account: '111122223333', region: 'us-east-1', action: 'change' },
          current: { volumeType: 'gp2', sizeGiB: 100, iops: null, throughputMiBps: null },
          options: [
            { rank: 1, volumeType: 'gp3', configuration: gp3, performanceRisk: 2, monthlyUsdSaving: -0.4 },
          ],
          lookBackDays: 14,
          lastRefreshed: refreshed,
        },
      ],
    });
  });

  test('columns that nobody exported are not known', () => {
    const [row] = exportedRows(['volumeArn', 'finding'], [[arnOf(vol), 'Optimized']]).rows;
    expect(row).toMatchObject({ action: 'keep', current: null, lookBackDays: null, lastRefreshed: null });
    expect(row?.account).toBe('111122223333'); // in its ARN
  });

  test('what is of RDS, and what of volumes', () => {
    expect(isExportOfVolumes(header)).toBe(true);
    expect(isExportOfVolumes(['accountId', 'instanceArn', 'finding'])).toBe(false);
    expect(isExportOfRds(['accountId', 'resourceArn', 'storageFinding'])).toBe(true);
    const rows = exportedRows(header, [['1', 'arn:aws:rds:us-east-1:1:db:x', 'x']]);
    expect([rows.rows.length, rows.rdsRows]).toEqual([0, 1]);
  });
});

describe('Cost Optimization Hub', () => {
  test.each([
    ['Rightsize', 'change', 1],
    ['Upgrade', 'change', 1],
    ['Delete', 'delete', 0],
    ['Stop', 'delete', 0],
  ])('%s is to %s the volume', (actionType, action, options) => {
    const [row] = hubRows([hubRow(vol, { actionType })]).rows;
    expect(row).toMatchObject({ source: 'cost-optimization-hub', volumeId: vol, action });
    expect(row?.options).toHaveLength(options);
    expect(row?.current).toEqual({ volumeType: 'gp3', sizeGiB: 100, iops: 6_000, throughputMiBps: 125 });
  });

  test('a row as it is listed has no configurations: its option is not known', () => {
    const { currentResourceDetails: _, recommendedResourceDetails: __, ...listed } = hubRow(vol);
    const [row] = hubRows([listed]).rows;
    expect(row?.current).toBeNull();
    expect(row?.options).toEqual([
      { rank: 1, volumeType: '', configuration: null, performanceRisk: null, monthlyUsdSaving: 12 },
    ]);
  });

  test('details without the throughput, which io2 has none of, are known', () => {
    const io2 = { storage: { type: 'io2', sizeInGb: 100 }, performance: { iops: 4_000 } };
    const row = hubRow(vol, { recommendedResourceDetails: { ebsVolume: { configuration: io2 } } });
    expect(hubRows([row]).rows[0]?.options[0]?.configuration).toMatchObject({
      volumeType: 'io2',
      iops: 4_000,
    });
  });

  test('RDS and other resources are counted', () => {
    const counted = hubRows([
      hubRow(vol, { currentResourceType: 'RdsDbInstanceStorage' }),
      hubRow(vol, { currentResourceType: 'AuroraDbClusterStorage' }),
      hubRow(vol, { currentResourceType: 'Ec2Instance' }),
      {},
    ]);
    expect([counted.rows.length, counted.rdsRows, counted.otherRows]).toEqual([0, 2, 2]);
  });
});

test.each([
  ['gp2', 300, 128, null, null], // both follow from the size
  ['st1', 500, 40, null, null],
  ['io1', 5_000, 500, 5_000, null],
  ['gp3', 4_000, 200, 4_000, 200],
])('of %s the figures that are provisioned count', (volumeType, iops, throughputMiBps, ofIops, ofMiBps) => {
  expect(opinionConfiguration({ volumeType, sizeGiB: 500, iops, throughputMiBps })).toEqual({
    ...{ volumeType, sizeGiB: 500, iops: ofIops, throughputMiBps: ofMiBps },
  });
});

test('whatever stands in a row, it is a recommendation or counted', () => {
  const odd = fc.anything();
  const figure = fc.oneof(fc.double(), fc.string(), odd);
  const configuration = fc.record({ volumeType: odd, volumeSize: figure, volumeBaselineIOPS: figure });
  const row = fc.record({
    volumeArn: fc.oneof(fc.constant(arnOf(vol)), odd),
    finding: odd,
    currentConfiguration: fc.oneof(configuration, odd),
    lastRefreshTimestamp: odd,
    lookBackPeriodInDays: figure,
    volumeRecommendationOptions: fc.oneof(fc.array(fc.record({ configuration, rank: figure })), odd),
  });
  const hubRowOf = fc.record({
    ...{ resourceArn: fc.oneof(fc.constant(arnOf(vol)), odd), actionType: odd },
    ...{ currentResourceType: fc.constantFrom('EbsVolume', 'x'), recommendedResourceDetails: odd },
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(row, odd)), fc.array(fc.oneof(hubRowOf, odd)), (all, items) => {
      for (const [given, found] of [
        [all, computeOptimizerRows([{ volumeRecommendations: all }])],
        [items, hubRows(items)],
      ] as const)
        expect(found.rows.length + found.rdsRows + found.otherRows).toBe(given.length);
    }),
  );
});
