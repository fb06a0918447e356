/** What can be asked for, and what is refused with its reason. */
import { benchRequestSchema } from '../../../../core/benchmark/campaign/request.ts';
import { aLayout, aRequest, asked } from './requests.ts';

test('what is left out', () => {
  expect(aRequest()).toMatchObject({
    ...{ repeats: 1, prepare: 'nothing', hoursAtMost: 12, hostsAtOnce: 4 },
    layouts: [{ chunkKiB: 128, fileSystem: 'xfs' }],
    work: { load: { readPercent: 50, ioDepth: 1 } },
  });
});

const load = { access: 'randread', blockKiB: 8, users: 16 };
test.each([
  ['single of two', { layouts: [aLayout({ kind: 'single', members: 2 })] }, 'single is one volume'],
  ['a stripe of one', { layouts: [aLayout({ members: 1 })] }, 'stripe has 2 volumes or more'],
  ['RAID5 of two', { layouts: [aLayout({ kind: 'raid5', members: 2 })] }, 'raid5 has 3 volumes or more'],
  [
    'RAID10 of five',
    { layouts: [aLayout({ kind: 'raid10', members: 5 })] },
    'raid10 has an even number of volumes',
  ],
  ['25 members', { layouts: [aLayout({ members: 25 })] }, '<=24'],
  ['a name for a shell', { layouts: [aLayout({ name: 'a; reboot' })] }, 'small letters, digits and hyphens'],
  ['the same name twice', { layouts: [aLayout(), aLayout()] }, 'two layouts are called stripe'],
  ['the same type twice', { instanceTypes: ['m5.large', 'm5.large'] }, 'm5.large is there twice'],
  ['no name of a type', { instanceTypes: ['m5.large; reboot'] }, 'not the name of a type'],
  ['a chunk between', { layouts: [aLayout({ chunkKiB: 100 })] }, '64'],
  ['65 users', { work: { kind: 'load', load: { ...load, users: 65 } } }, '<=64'],
  ['no ceiling', { ceilingUsd: undefined }, 'number'],
  ['a ceiling of nothing', { ceilingUsd: 0 }, '>0'],
  ['three days', { hoursAtMost: 72 }, '<=48'],
  ['a field that is none', { ceiling: 5 }, 'ceiling'],
  [
    'a search that is repeated',
    {
      repeats: 2,
      work: {
        kind: 'search',
        goal: { percentile: 'p95', limitMs: 2 },
        load: { access: 'randread', blockKiB: 8 },
      },
    },
    'a search repeats what it finds by itself',
  ],
  ['users of a search', { work: { kind: 'search', goal: { percentile: 'p95', limitMs: 2 }, load } }, 'users'],
])('refused: %s', (_name, request, message) => {
  const { success, error } = benchRequestSchema.safeParse(asked(request));
  expect(success).toBe(false);
  expect(error?.issues.map((issue) => issue.message).join('; ')).toContain(message);
});

test.each(['report-card', 'iris-ranwrite'])('the profile %s, whole unless asked otherwise', (profile) => {
  expect(aRequest({ work: { kind: 'profile', profile } }).work).toEqual({
    ...{ kind: 'profile', profile, variant: 'full' },
  });
});
