/**
 * Campaigns that are interrupted: functions out of time, executions that are stopped, ends of commands that nobody tells, hosts
 * that go. Nothing is left after the cleanup's next run, also where its own fails once.
 */
import { campaignTag, expiresTag } from '../../core/benchmark/campaign/cells.ts';
import { type CampaignDay, startCampaignDay } from './campaigns/campaign-day.ts';
import { expectAll, heads } from './campaigns/expect-all.ts';
import { profileRequest } from './campaigns/requests.ts';
import { troublesOfEnds, troublesOfHosts } from './campaigns/troubles-of-hosts.ts';
import {
  secondsOfFunctions,
  secondsOfRunCommand,
  stopsInSteps,
  timeOutsOfSteps,
} from './campaigns/troubles-of-steps.ts';
import { type Outcome, printOutcomes, unexpected } from './outcome-table.ts';

let day: CampaignDay;

beforeAll(async () => {
  day = await startCampaignDay();
}, 400_000);
afterAll(() => day?.remove());

describe('functions whose time is over', () => {
  beforeAll(async () => {
    await day.account.setTimeout('BenchmarkFunctions', secondsOfFunctions);
    await day.account.setTimeout('RunCommand', secondsOfRunCommand);
  });
  afterAll(() => day.account.setTimeout('BenchmarkFunctions', 120));

  test('once and for ever, in each state', () =>
    expectAll(day, 'Time-outs of the steps of a campaign', timeOutsOfSteps));

  test('a campaign that is stopped, in each state', () =>
    expectAll(day, 'Campaigns that are stopped', stopsInSteps));
});

test('ends of commands', () => expectAll(day, 'Ends of commands', troublesOfEnds));
test('hosts', () => expectAll(day, 'Hosts of campaigns', troublesOfHosts));

describe('the cleanup', () => {
  const outcomes: Outcome[] = [];
  afterAll(() => printOutcomes('The cleanup', heads, outcomes));

  function note(trouble: string, expected: string, seen: readonly string[]): void {
    const asExpected = seen.join(', ') === expected;
    outcomes.push({ what: ['CleanUpOrphans', trouble], expected, seen: seen.join(', '), asExpected });
  }

  test.each([
    ['access-denied', 'TerminateInstances'],
    ['throttled', 'TerminateInstances'],
    ['access-denied', 'DescribeInstances'],
    ['crash', 'TerminateInstances'],
  ] as const)('that fails takes all in its next run: %s at %s', async (kind, operation) => {
    const { gateway, campaigns } = day;
    const isDenied = { kind: 'access-denied', times: -1 } as const;
    gateway.reset();
    gateway.faults.add({ ...isDenied, functionPart: 'TerminateHost', operation: 'TerminateInstances' });
    const campaignId = `cleanup-${kind}-${operation}`;
    await campaigns.start(campaignId, profileRequest);
    await campaigns.ended(campaignId);
    const { instances } = await campaigns.left();
    gateway.faults.add({ kind, times: -1, functionPart: 'CleanUpOrphans', operation });
    const failure = (await campaigns.cleanUp()) ?? 'nothing';
    gateway.reset();
    const second = await campaigns.cleanUp();
    const left = await campaigns.left();
    const isAll = second === null && left.instances.length + left.volumes.length === 0;
    // A function that dies has no words of its own.
    const isSaid = failure.includes(kind === 'crash' ? 'Runtime.ExitError' : `ec2:${operation}`);
    note(`ec2:${operation}: ${kind}`, '1 left, said why, then all is taken', [
      `${instances.length} left`,
      isSaid ? 'said why' : failure,
      isAll
        ? 'then all is taken'
        : `then ${second}: ${left.instances.concat(left.volumes).join(' ')} is left`,
    ]);
    expect(unexpected(outcomes.slice(-1))).toEqual([]);
  });

  test('takes hosts that are past their time, keeps those that are not, and touches nothing that it did not launch', async () => {
    const { hands, campaigns } = day;
    const hour = 3_600_000;
    const tags = (fromNowMs: number) => ({
      [campaignTag]: 'of-nobody',
      [expiresTag]: new Date(Date.now() + fromNowMs).toISOString(),
    });
    const past = [await hands.launchHost(tags(-hour))];
    const kept = [await hands.launchHost(tags(hour))];
    // Who may tag writes our tags on what is not ours; an empty value is a campaign that nobody knows.
    const tagged = [
      await hands.launch(tags(-hour)),
      await hands.createVolume(tags(-hour)),
      await hands.createVolume({ [campaignTag]: '' }),
    ];
    const others = [await hands.launch({ Name: 'db' }), await hands.createVolume({ Name: 'db' })];
    const failure = await campaigns.cleanUp();
    const there = await hands.there();
    const statesOf = (ids: readonly string[]): string =>
      ids.map((id) => (there.includes(id) ? 'there' : 'gone')).join(' and ');
    note('a host of no campaign, past its time', 'gone', [statesOf(past)]);
    note('the same, not past it', 'there', [statesOf(kept)]);
    note(
      'an instance and two volumes of others with our tags, past their time',
      'there and there and there',
      [statesOf(tagged)],
    );
    note('an instance and a volume without the tag', 'there and there', [statesOf(others)]);
    expect(failure).toBeNull();
    expect(unexpected(outcomes.slice(-4))).toEqual([]);
  });
});
