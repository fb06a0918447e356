/**
 * Any order of launches, crashes, sweeps, strangers' tags and passing time, in an account with two stacks that run campaigns of the
 * same names: in the end nothing of ours is left, and nothing of others was touched. STRIPEWISE_MODEL_RUNS says how many orders,
 * STRIPEWISE_MODEL_SEED which ones.
 */
import type { EC2Client } from '@aws-sdk/client-ec2';
import fc from 'fast-check';
import { findHosts } from '../../adapters/aws/bench/find-host.ts';
import { launchHost as launchByTemplate } from '../../adapters/aws/bench/launch-host.ts';
import { findOrphans, terminateInstances } from '../../adapters/aws/bench/orphans.ts';
import { cleanUpOrphans } from '../../lambdas/clean-up-orphans/clean-up-orphans.ts';
import { launchHost } from '../../lambdas/launch-host/launch-host.ts';
import { terminateHost } from '../../lambdas/terminate-host/terminate-host.ts';
import { aCampaign } from '../core/benchmark/campaign/campaigns.ts';
import { Account, clientOf, profileOf, templatesOf } from './account.ts';

const runs = Number(process.env['STRIPEWISE_MODEL_RUNS'] ?? 1_000);
const seed = Number(process.env['STRIPEWISE_MODEL_SEED'] ?? 1);
const region = 'us-east-1';
const stacks = ['a', 'b'] as const;
const names = ['c1', 'c2'] as const;
const cellId = 'stripe-m1-large';
const campaigns = new Map(names.map((name) => [name as string, aCampaign({ hoursAtMost: 12 }, name)]));

const stack = fc.constantFrom(...stacks);
const name = fc.constantFrom(...names);
/** As somebody may write them: past, far, nonsense, none. */
const expires = fc.constantFrom('2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z', 'tomorrow', '', null);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('launch' as const),
      ...{ stack, name, hangs: fc.boolean() },
      /** The function dies before its call, or after it; then it is tried again with the same time, or is not. */
      dies: fc.constantFrom('not', 'before', 'after'),
      isTriedAgain: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('end host' as const), stack, name, isRefused: fc.boolean() }),
  fc.record({ kind: fc.constant('campaign ends' as const), stack, name }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('sweep' as const),
      stack,
      fails: fc.constantFrom(null, 'DescribeInstances', 'TerminateInstances', 'DescribeExecution'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('time' as const), minutes: fc.integer({ min: 1, max: 1_440 }) }),
  },
  fc.record({
    kind: fc.constant('stranger' as const),
    ...{ name: fc.constantFrom(...names, '', 'of-nobody'), expires },
    profile: fc.constantFrom(null, profileOf('a'), 'arn:aws:iam::111122223333:instance-profile/web'),
  }),
  fc.record({
    kind: fc.constant('tags' as const),
    of: fc.nat(),
    key: fc.constantFrom('campaign', 'cell', 'expires'),
    value: expires,
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let account: Account;
let client: EC2Client;
beforeAll(() => {
  client = clientOf(() => account);
});

/** The functions of one stack, with the state of its campaigns. */
class Stack {
  readonly ended = new Set<string>();
  private readonly askedAt = new Map<string, string>();
  private readonly id: string;

  constructor(id: string) {
    this.id = id;
  }

  private origin() {
    return { launchTemplateIds: templatesOf(this.id), instanceProfileArn: profileOf(this.id) };
  }

  async launch({ name, dies, isTriedAgain, hangs }: Extract<Step, { kind: 'launch' }>): Promise<void> {
    // A campaign has one host of a cell in its life, and none after it has ended.
    if (this.ended.has(name)) return;
    const askedAt = this.askedAt.get(name) ?? new Date(account.nowMs).toISOString();
    this.askedAt.set(name, askedAt);
    account.nextHangs = hangs;
    const attempt = (death: string) =>
      launchHost(campaigns.get(name) as never, cellId, askedAt, {
        findHosts: () => findHosts(client, region, this.origin(), { campaignId: name, cellId }),
        launch: async ({ architecture, ...request }) => {
          if (death === 'before') throw new Error('died');
          const launchTemplateId = this.origin().launchTemplateIds[architecture];
          const launched = await launchByTemplate(client, {
            ...{ region, launchTemplateId, ...request },
            kmsKeyArn: null,
          });
          if (death === 'after') throw new Error('died');
          return launched;
        },
        record: async () => {},
      });
    await attempt(dies).catch(() => (isTriedAgain ? attempt('not') : null));
  }

  async end({ name, isRefused }: Extract<Step, { kind: 'end host' }>): Promise<void> {
    if (isRefused) account.failing.set('TerminateInstances', 1);
    await terminateHost(name, {
      findOrphans: () => findOrphans(client, region, this.origin(), { campaignId: name, cellId }),
      terminate: (ids) => terminateInstances(client, region, ids),
      now: () => new Date(account.nowMs),
    }).catch(() => null);
  }

  async cleanUp(fails: string | null): Promise<void> {
    if (fails !== null && fails !== 'DescribeExecution') account.failing.set(fails, 1);
    await cleanUpOrphans({
      findOrphans: () => findOrphans(client, region, this.origin(), {}),
      executionStatus: async (campaignId) => {
        if (fails === 'DescribeExecution') throw new Error('throttled');
        if (!this.askedAt.has(campaignId)) return null;
        return { status: this.ended.has(campaignId) ? 'FAILED' : 'RUNNING' };
      },
      terminate: (ids) => terminateInstances(client, region, ids),
      now: () => new Date(account.nowMs),
    }).catch(() => null);
  }
}

function strangerComes({ name, expires, profile }: Extract<Step, { kind: 'stranger' }>): void {
  const stranger = account.add({ owner: null, profile, endsAtMs: Number.POSITIVE_INFINITY }, [
    ['stripewise:campaign', name],
    ['stripewise:cell', cellId],
    ...(expires === null ? [] : [['stripewise:expires', expires] as [string, string]]),
  ]);
  for (const attachedTo of [stranger.id, null])
    account.volumes.push({ attachedTo, owner: null, goesWithInstance: true, isThere: true });
}

/** EC2 lets nobody write keys that begin with aws: */
function somebodyTags({ of, key, value }: Extract<Step, { kind: 'tags' }>): void {
  const one = account.instances[of % Math.max(1, account.instances.length)];
  if (value === null) one?.tags.delete(`stripewise:${key}`);
  else one?.tags.set(`stripewise:${key}`, value);
}

/** Nothing of others was touched, at any time; nothing was launched twice. */
function expectOthersUntouched(): void {
  const touched = account.instances.filter(({ owner, endedBy }) => endedBy !== null && endedBy !== owner);
  expect(touched.map(({ id, owner, endedBy }) => `${id} of ${owner} by ${endedBy}`)).toEqual([]);
  for (const { owner, isThere } of account.volumes) if (owner === null) expect(isThere).toBe(true);
  for (const id of stacks)
    expect(
      account.instances.filter(({ owner, isThere }) => owner === id && isThere).length,
    ).toBeLessThanOrEqual(names.length);
}

/** Longer than any host may live, with a cleanup that may do its work: it comes by the clock. */
async function settle(of: Readonly<Record<string, Stack>>): Promise<void> {
  account.failing.clear();
  account.pass(48 * 60 + 15);
  for (const id of stacks) {
    account.caller = id;
    await of[id]?.cleanUp(null);
  }
}

test(`${runs} orders: nothing of ours is left, nothing of others is touched`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
      account = new Account();
      const of = { a: new Stack('a'), b: new Stack('b') };
      for (const one of steps) {
        if ('stack' in one) account.caller = one.stack;
        if (one.kind === 'launch') await of[one.stack].launch(one);
        else if (one.kind === 'end host') await of[one.stack].end(one);
        else if (one.kind === 'campaign ends') of[one.stack].ended.add(one.name);
        else if (one.kind === 'sweep') await of[one.stack].cleanUp(one.fails);
        else if (one.kind === 'time') account.pass(one.minutes);
        else if (one.kind === 'stranger') strangerComes(one);
        else somebodyTags(one);
        account.failing.clear();
        expectOthersUntouched();
      }
      await settle(of);
      expectOthersUntouched();
      expect(account.instances.filter(({ owner, isThere }) => owner !== null && isThere)).toEqual([]);
      expect(account.volumes.filter(({ owner, isThere }) => owner !== null && isThere)).toEqual([]);
    }),
    { numRuns: runs, seed },
  );
}, 300_000);
