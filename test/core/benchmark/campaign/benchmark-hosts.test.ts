/** What campaigns launched, in the names of objects. */

import {
  benchmarkHostKey,
  benchmarkHostsFolder,
  benchmarkHostsIn,
  benchmarkHostsOf,
} from '../../../../core/benchmark/campaign/benchmark-hosts.ts';
import { campaignKeys } from '../../../../core/benchmark/campaign/campaign.ts';
import { deviceNames } from '../../../../core/benchmark/campaign/cells.ts';

const id = (prefix: string, index: number): string => `${prefix}${`${index}`.padStart(17, '0')}`;

test('what is recorded of a launch, and of its volumes later, is read back', () => {
  const keys = [
    benchmarkHostKey('us-east-1', 'i-1'),
    benchmarkHostKey('us-east-1', 'i-1', ['vol-root', 'vol-1']),
    benchmarkHostKey('us-east-1', 'i-2'),
  ];
  expect(keys).toEqual([
    'campaign-hosts/us-east-1/i-1',
    'campaign-hosts/us-east-1/i-1_vol-root_vol-1',
    'campaign-hosts/us-east-1/i-2',
  ]);
  expect(benchmarkHostsOf(keys)).toEqual({
    instanceIds: new Set(['i-1', 'i-2']),
    volumeIds: new Set(['vol-root', 'vol-1']),
  });
});

test('a host with all the volumes there can be fits in a key of S3: 1,024 bytes', () => {
  const volumeIds = [...deviceNames, 'root'].map((_, index) => id('vol-', index));
  const key = benchmarkHostKey('ap-southeast-99', id('i-', 1), volumeIds);
  expect(Buffer.byteLength(key)).toBeLessThanOrEqual(1_024);
  expect(benchmarkHostsOf([key]).volumeIds.size).toBe(deviceNames.length + 1);
});

test('it is of one Region, and not where hosts of campaigns may write', () => {
  expect(benchmarkHostsIn('us-east-1')).toBe(`${benchmarkHostsFolder}us-east-1/`);
  for (const folder of [campaignKeys('c1').folder, campaignKeys('c1').results('a')])
    expect(benchmarkHostsIn('us-east-1').startsWith(`${folder.split('/')[0]}/`)).toBe(false);
});

test('an object that is none of ours names nothing', () => {
  expect(benchmarkHostsOf(['campaign-hosts/us-east-1/', 'campaign-hosts/us-east-1/readme_txt'])).toEqual({
    ...{ instanceIds: new Set(), volumeIds: new Set() },
  });
});
