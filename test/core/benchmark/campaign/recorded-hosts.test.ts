/** What campaigns launched, in the names of objects. */

import { campaignKeys } from '../../../../core/benchmark/campaign/campaign.ts';
import { deviceNames } from '../../../../core/benchmark/campaign/cells.ts';
import {
  recordedHostKey,
  recordedHostsFolder,
  recordedHostsIn,
  recordedHostsOf,
} from '../../../../core/benchmark/campaign/recorded-hosts.ts';

const id = (prefix: string, index: number): string => `${prefix}${`${index}`.padStart(17, '0')}`;

test('what is recorded of a launch, and of its volumes later, is read back', () => {
  const keys = [
    recordedHostKey('us-east-1', 'i-1'),
    recordedHostKey('us-east-1', 'i-1', ['vol-root', 'vol-1']),
    recordedHostKey('us-east-1', 'i-2'),
  ];
  expect(keys).toEqual([
    'campaign-hosts/us-east-1/i-1',
    'campaign-hosts/us-east-1/i-1_vol-root_vol-1',
    'campaign-hosts/us-east-1/i-2',
  ]);
  expect(recordedHostsOf(keys)).toEqual({
    instanceIds: new Set(['i-1', 'i-2']),
    volumeIds: new Set(['vol-root', 'vol-1']),
  });
});

test('a host with all the volumes there can be fits in a key of S3: 1,024 bytes', () => {
  const volumeIds = [...deviceNames, 'root'].map((_, index) => id('vol-', index));
  const key = recordedHostKey('ap-southeast-99', id('i-', 1), volumeIds);
  expect(Buffer.byteLength(key)).toBeLessThanOrEqual(1_024);
  expect(recordedHostsOf([key]).volumeIds.size).toBe(deviceNames.length + 1);
});

test('it is of one Region, and not where hosts of campaigns may write', () => {
  expect(recordedHostsIn('us-east-1')).toBe(`${recordedHostsFolder}us-east-1/`);
  for (const folder of [campaignKeys('c1').folder, campaignKeys('c1').results('a')])
    expect(recordedHostsIn('us-east-1').startsWith(`${folder.split('/')[0]}/`)).toBe(false);
});

test('an object that is none of ours names nothing', () => {
  expect(recordedHostsOf(['campaign-hosts/us-east-1/', 'campaign-hosts/us-east-1/readme_txt'])).toEqual({
    ...{ instanceIds: new Set(), volumeIds: new Set() },
  });
});
