/** A campaign with IAM enforced: it is measured with exactly the policies of its functions, and each action is missed. */
import { z } from 'zod';
import { campaignTag, expiresTag } from '../../core/benchmark/campaign/cells.ts';
import { jsonReply, listen, readBytes } from '../../local/http.ts';
import { localAccount, localRegion } from '../../local/services.ts';
import { reportNoteText } from '../../report/wording/campaign.ts';
import { type CampaignDay, startCampaignDay } from './campaigns/campaign-day.ts';
import { campaignSeen, type Ending } from './campaigns/evaluate-campaign.ts';
import { profileRequest } from './campaigns/requests.ts';
import { campaignSteps } from './campaigns/steps.ts';
import { type Allowed, allowedOf, type FunctionRoles, withIam, without } from './function-roles.ts';
import { type Outcome, outcomesOf, unexpected } from './outcome-table.ts';

const cleanup = 'CleanUpOrphans';
const endHosts = 'EndHosts';
const parts = [...campaignSteps.map(({ part }) => part), 'EndCommand', cleanup, endHosts];

/** Lambda does it for a function, with its role: see the templates' tests. EC2 asks for PassRole: the local one does not. */
const askedByAws = /^(logs|xray|iam):/;
/** Of the customer: who launches a host must be allowed to use it. */
const key = `arn:aws:kms:${localRegion}:${localAccount}:key/1234abcd-12ab-34cd-56ef-1234567890ab`;

const request = { ...profileRequest, findingId: '0123456789abcdef' };

let day: CampaignDay;
let roles: FunctionRoles;
let campaigns = 0;

beforeAll(async () => {
  const trouble = withIam((made) => {
    roles = made;
  });
  day = await startCampaignDay(trouble, key);
  // Stored prices are there to be read.
  await day.account.runOnce('RefreshCatalog', { target: { account: localAccount, region: localRegion } });
}, 400_000);
afterAll(() => day?.remove());

async function run(hosts = 'usual') {
  const campaignId = `${hosts}-${++campaigns}`;
  await day.campaigns.start(campaignId, request);
  return day.campaigns.ended(campaignId);
}

test('with exactly its policies a campaign is measured', async () => {
  const ran = await run();
  expect(campaignSeen(ran)).toEqual({ ending: 'measured', reason: '' });
  expect(ran.report?.notes.map(reportNoteText).join()).not.toMatch(/AccessDenied|could not be read/);
  expect(await day.campaigns.cleanUp()).toBeNull();
  expect(await day.campaigns.left()).toEqual({ instances: [], volumes: [] });
});

/** What must be so that the function makes this call at all. @returns how hosts behave. */
async function prepare(part: string, action: string): Promise<string> {
  if (part !== 'RunCommand') return 'usual';
  // It looks at the host where a command has not ended after a while, and tells of an end that nobody told.
  if (action === 'ssm:DescribeInstanceInformation') return 'endless';
  if (action.startsWith('states:')) await day.hands.loseEvents();
  return action === 'states:SendTaskFailure' ? 'failing' : 'usual';
}

function expectedOf(part: string, { role, statement, action }: Allowed): { ending: Ending; names: string } {
  const step = campaignSteps.find((one) => one.part === part);
  // Who waits looks for itself.
  if (step === undefined) return { ending: 'measured', names: '' };
  const isNoted =
    /^(servicequotas|cloudwatch):/.test(action) ||
    (part === 'CheckCampaign' && JSON.stringify(role.document.Statement[statement]).includes('catalog/'));
  if (isNoted) return { ending: 'measured', names: action };
  // EC2 launches the host, and ends it.
  if (action.startsWith('kms:')) return { ending: step.withoutIt, names: 'Client.InternalError' };
  // Of a launch that may not tag, or not read which image is the newest, the gateway names the launch.
  const isOfLaunch = ['ec2:CreateTags', 'ssm:GetParameters'].includes(action);
  return { ending: step.withoutIt, names: isOfLaunch ? 'ec2:RunInstances' : action };
}

async function outcomeOfStep(part: string, allowed: Allowed): Promise<Outcome> {
  const { role, action, on } = allowed;
  const hosts = await prepare(part, action);
  await roles.put(role, without(allowed));
  const ran = await run(hosts);
  await roles.put(role, role.document);
  await day.hands.recover();
  await day.campaigns.cleanUp();
  const { ending, reason } = campaignSeen(ran);
  const { cells = [], notes = [] } = ran.report ?? {};
  const said = [reason, ...cells.map(({ hostEnded }) => hostEnded ?? ''), ...notes.map(reportNoteText)]
    .filter((text) => text !== '')
    .join(' | ');
  const expected = expectedOf(part, allowed);
  const isNamed = said.includes(expected.names);
  return {
    what: [part, action, on],
    expected: expected.ending,
    seen: [ending, ...(isNamed ? [] : [`the reason does not name ${expected.names}`]), said].join(': '),
    asExpected: ending === expected.ending && isNamed,
  };
}

/** It is run by hand, with a host that it should take. */
async function outcomeOfCleanup(allowed: Allowed): Promise<Outcome> {
  const { role, action, on } = allowed;
  const tags = {
    [campaignTag]: 'of-nobody',
    [expiresTag]: new Date(Date.now() - 3_600_000).toISOString(),
  };
  await day.hands.launchHost(tags);
  await roles.put(role, without(allowed));
  const reason = (await day.campaigns.cleanUp()) ?? '';
  await roles.put(role, role.document);
  const again = await day.campaigns.cleanUp();
  const { instances, volumes } = await day.campaigns.left();
  // What is past its time is taken though nobody can say whether its campaign runs.
  const isFine = action === 'states:DescribeExecution';
  const isAll = again === null && instances.length + volumes.length === 0;
  return {
    what: [cleanup, action, on],
    expected: isFine ? 'all taken' : 'failed, then all taken',
    seen: `${reason} ${isAll ? 'all taken' : `${again}: not all taken`}`,
    asExpected: (isFine ? reason === '' : reason.includes(action)) && isAll,
  };
}

const answerSchema = z.object({ Status: z.string(), Reason: z.string() });

/** As CloudFormation calls it when it deletes the stack. @returns what it was answered. */
async function stackDeleted(): Promise<z.infer<typeof answerSchema>> {
  const answers: unknown[] = [];
  const cloudFormation = await listen(0, async (answer) => {
    answers.push(JSON.parse((await readBytes(answer)).toString('utf8')));
    return jsonReply({});
  });
  try {
    await day.account.runOnce(endHosts, {
      ...{ RequestType: 'Delete', ResponseURL: `${cloudFormation.url}/answer` },
      ...{ StackId: 'of-a-test', RequestId: 'r1', LogicalResourceId: 'Ended', PhysicalResourceId: 'Ended' },
    });
  } finally {
    await cloudFormation.stop();
  }
  return answerSchema.parse(answers[0]);
}

/** With a host that runs: the deletion fails, and names what is missing; once more, it is ended. */
async function outcomeOfDeletion(allowed: Allowed): Promise<Outcome> {
  const { action, on } = allowed;
  await day.hands.launchHost({ [campaignTag]: 'of-nobody' });
  const giveBack = await roles.takeAway(allowed);
  const { Status, Reason } = await stackDeleted();
  const kept = (await day.campaigns.left()).instances.length;
  await giveBack();
  const again = await stackDeleted();
  const { instances } = await day.campaigns.left();
  const isAll = again.Status === 'SUCCESS' && instances.length === 0;
  return {
    what: [endHosts, action, on],
    expected: 'failed with its host there, then all taken',
    seen: `${Status} with ${kept} there: ${Reason} ${isAll ? 'all taken' : `${again.Reason}: not all taken`}`,
    asExpected: Status === 'FAILED' && kept === 1 && Reason.includes(action) && isAll,
  };
}

test('each action that is removed is missed, and named', async () => {
  const all = (await roles.of(parts)).flatMap(allowedOf).filter(({ action }) => !askedByAws.test(action));
  const outcomes = await outcomesOf(
    'Permissions of campaigns, one removed at a time',
    ['function', 'action', 'on'],
    all,
    (allowed) => {
      const part = parts.find((one) => allowed.role.functionName.includes(one)) ?? '';
      if (part === endHosts) return outcomeOfDeletion(allowed);
      return part === cleanup ? outcomeOfCleanup(allowed) : outcomeOfStep(part, allowed);
    },
  );
  expect(outcomes.length).toBeGreaterThan(35);
  expect(unexpected(outcomes)).toEqual([]);
});
