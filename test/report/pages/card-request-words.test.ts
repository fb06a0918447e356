/** What a campaign was asked, in words. */
import { requestWords } from '../../../report/browser/card/request-words.ts';
import { search } from '../../core/benchmark/campaign/campaigns.ts';
import { aLayout, aRequest } from '../../core/benchmark/campaign/requests.ts';

const words = (request: object = {}) =>
  Object.fromEntries(requestWords(aRequest(request)).map(({ what, words: said }) => [what, said]));

test('everything that was asked is said', () => {
  expect(words()).toEqual({
    'Layout stripe': 'stripe of 4 gp3 volumes of 100 GiB each, chunks of 128 KiB, xfs',
    'Instance types': 'm1.large',
    Measured: '8 KiB random reads by 16 users, 1 of each at once, as many as go, for 593 s',
    Repeats: 'none: measured once',
    'Before it': 'nothing',
    'Ended at the latest': 'before it costs 10.00 USD, or after 12 h',
    'Hosts at once': '4 at most',
  });
});

test.each([
  [
    { kind: 'single', members: 1, iops: 6_000, throughputMiBps: 250 },
    'one gp3 volume of 100 GiB, 6,000 IOPS, 250 MiB/s, xfs',
  ],
  [{ kind: 'linear', members: 2 }, 'linear of 2 gp3 volumes of 100 GiB each, xfs'],
  [
    { kind: 'raid10', chunkKiB: 64, fileSystem: 'ext4' },
    'raid10 of 4 gp3 volumes of 100 GiB each, chunks of 64 KiB, ext4',
  ],
])('a layout of %j is: %s', (layout, said) => {
  expect(words({ layouts: [aLayout(layout)] })['Layout stripe']).toBe(said);
});

test.each([
  [{ kind: 'profile', profile: 'oltp', variant: 'short' }, 'the profile oltp, in short'],
  [
    search,
    'a search for the most IOPS with p95 under 2 ms: 8 KiB random reads, more and more at once, 20 s each time',
  ],
  [
    {
      kind: 'load',
      load: { access: 'randrw', blockKiB: 16, readPercent: 70, users: 2, ioDepth: 8, iops: 500 },
    },
    '16 KiB random reads and writes (70 % reads) by 2 users, 8 of each at once, 500 IOPS of all together, for 300 s',
  ],
])('work %j is: %s', (work, said) => {
  expect(words({ work })['Measured']).toBe(said);
});

test('a search repeats what it finds by itself', () => {
  expect(words({ work: search })['Repeats']).toBe('what it finds, by itself');
});

test('what was done before, and how often', () => {
  expect(words({ repeats: 3, prepare: 'drain-credits' })).toMatchObject({
    Repeats: 'measured 3 times',
    'Before it': 'burst credits were spent',
  });
});
