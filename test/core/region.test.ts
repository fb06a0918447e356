/** What has the form of a Region, in every partition. */
import { isRegionName, regionOfZone } from '../../core/ids.ts';

test.each(['us-east-1', 'us-gov-west-1', 'ap-southeast-7', 'us-isob-east-1', 'eusc-de-east-1'])(
  '%s',
  (region) => {
    expect(isRegionName(region)).toBe(true);
  },
);

test.each(['us-east', 'us-east-1a', 'us-east-1;ls', 'US-EAST-1', '', 'eu west 1', 'us-east-1\n'])(
  'not "%s"',
  (text) => {
    expect(isRegionName(text)).toBe(false);
  },
);

test.each([
  ['us-east-1a', 'us-east-1'],
  ['us-west-2-lax-1a', 'us-west-2'],
  ['eusc-de-east-1b', 'eusc-de-east-1'],
  ['use1-az1', null],
  ['', null],
])('zone %s is in %s', (zone, region) => {
  expect(regionOfZone(zone)).toBe(region);
});
