/**
 * The deployed audit with IAM enforced: it passes with exactly its policies, and each action that is taken away is missed.
 * MiniStack asks for its own services; before the stand-ins the gateway asks IAM for the caller's role.
 */
import { GetRolePolicyCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { clientSettings } from '../../local/deploy.ts';
import { authoriser } from '../../local/gateway/authorise.ts';
import type { DeployedRun } from '../../local/run-audit.ts';
import { localAccount } from '../../local/services.ts';
import { type BadDay, startBadDay } from './bad-day.ts';
import { type Ending, seenOf } from './judge-outcome.ts';
import { type Outcome, outcomesOf, unexpected } from './outcome-table.ts';
import { toldInAll } from './tell-later.ts';

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
}
interface PolicyDocument {
  Statement: Statement[];
}
interface RoleOfFunction {
  functionName: string;
  roleName: string;
  document: PolicyDocument;
}

/** The inline policy that NodeFunction gives each role. */
const PolicyName = 'May';
const parts = [
  'RefreshMarket',
  'DiscoverVolumes',
  'JudgeBatch',
  'CollectFindings',
  'TellFindings',
  'DrawDashboard',
  'PostToSlack',
];

/** Lambda does it for a function, with its role; the local one needs no permission for that: see the templates' tests. */
const calledByLambda = /^(logs|xray|sqs):/;
/** Called of a host that never ends, minutes later: it is in unit tests. */
const calledLate = /^ssm:CancelCommand$/;

let day: BadDay;
let iam: IAMClient;
let lambda: LambdaClient;
let usual: DeployedRun;

beforeAll(async () => {
  let isAllowed: ReturnType<typeof authoriser> | undefined;
  day = await startBadDay({
    options: { isAllowed: async (call, body) => isAllowed?.(call, body) ?? false },
    environment: { AUTH: 'true' },
    onServices: (services) => {
      // The CDK's parameters, which the stand-in would hand on: the signature is of the place that was called.
      services.env['AWS_ENDPOINT_URL_SSM'] = services.urls.aws;
      iam = new IAMClient(clientSettings(services));
      lambda = new LambdaClient(clientSettings(services));
      isAllowed = authoriser({ iam, lambda, account: localAccount });
    },
  });
  await day.run();
  usual = await day.run();
}, 400_000);
afterAll(() => day?.remove());

async function rolesOfFunctions(): Promise<RoleOfFunction[]> {
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand({}));
  const ours = Functions.filter(({ FunctionName }) => parts.some((part) => FunctionName?.includes(part)));
  return Promise.all(
    ours.map(async ({ FunctionName = '', Role = '' }) => {
      const roleName = Role.split('/').at(-1) ?? '';
      const { PolicyDocument = '' } = await iam.send(
        new GetRolePolicyCommand({ RoleName: roleName, PolicyName }),
      );
      const document = JSON.parse(decodeURIComponent(PolicyDocument)) as PolicyDocument;
      return { functionName: FunctionName, roleName, document };
    }),
  );
}

interface Allowed {
  role: RoleOfFunction;
  statement: number;
  action: string;
  /** What the statement allows it on, in a word or two. */
  on: string;
}

/** Each action of each statement: the same action on two things is two permissions. */
const allowedOf = (role: RoleOfFunction): Allowed[] =>
  role.document.Statement.flatMap(({ Action, Resource }, statement) =>
    [Action].flat().map((action) => {
      const [resource = ''] = [Resource].flat() as string[];
      return { role, statement, action, on: resource.replace(/^.*[:/](?=[^:/]*(\/\*)?$)/, '').slice(0, 24) };
    }),
  );

const without = ({ role, statement, action }: Allowed): PolicyDocument => ({
  Statement: role.document.Statement.map((one, index) => ({
    ...one,
    Action: [one.Action].flat().filter((name) => index !== statement || name !== action),
  })).filter(({ Action }) => Action.length > 0),
});

const put = ({ roleName }: RoleOfFunction, document: PolicyDocument) =>
  iam.send(
    new PutRolePolicyCommand({
      RoleName: roleName,
      PolicyName,
      PolicyDocument: JSON.stringify({ Version: '2012-10-17', ...document }),
    }),
  );

test('with exactly its policies the audit is complete, and tells', async () => {
  await day.account.forgetTold();
  const before = await day.account.findingsPosted();
  await day.account.forgetMarket();
  expect(seenOf(await day.run(), usual)).toEqual({ ending: 'complete', because: '', wrong: [] });
  expect((await day.account.findingsPostedUpTo(before + toldInAll)) - before).toBe(toldInAll);
});

const endingWithout: Record<string, Ending> = {
  RefreshMarket: 'partial',
  DiscoverVolumes: 'partial',
  JudgeBatch: 'partial',
  CollectFindings: 'failed',
  TellFindings: 'failed',
  DrawDashboard: 'failed',
  // The run is over by then: its queue says what was not posted, and why.
  PostToSlack: 'complete',
};

/** Of the stored prices, which are needed where a batch has no result: that makes the run partial by itself. */
function isOfPricesAlone({ role, statement }: Allowed): boolean {
  const text = JSON.stringify(role.document.Statement[statement]);
  return text.includes('catalogue/') && !text.includes('work/');
}

const endingOf = (part: string, allowed: Allowed): Ending =>
  part === 'CollectFindings' && isOfPricesAlone(allowed) ? 'partial' : (endingWithout[part] ?? 'failed');

/** What a run must do so that the function makes this call at all. */
async function prepare(part: string, allowed: Allowed): Promise<void> {
  const { action } = allowed;
  // What is stored is read where something is stored, and written where nothing is.
  if (part === 'RefreshMarket' && action !== 's3:GetObject') await day.account.forgetMarket();
  if (action.startsWith('ssm:')) await day.account.askHosts(true);
  if (part === 'TellFindings' || part === 'PostToSlack') await day.account.forgetTold();
  // It judges a batch without metrics, by prices, where that has no result.
  if (part === 'CollectFindings' && isOfPricesAlone(allowed))
    day.gateway.faults.add({ kind: 'crash', times: -1, operation: 'GetMetricData' });
  // It takes back that it is posting where posting fails.
  if (action === 'dynamodb:DeleteItem') await day.account.failSlackOnce();
}

async function outcomeOf(allowed: Allowed): Promise<Outcome> {
  const { role, action, on } = allowed;
  const part = parts.find((one) => role.functionName.includes(one)) ?? '';
  day.gateway.reset();
  await prepare(part, allowed);
  const isPosting = part === 'PostToSlack';
  // It keeps the address for a minute.
  if (isPosting) await day.account.restart('PostToSlack');
  await put(role, without(allowed));
  const run = await day.run();
  const { ending, because, wrong } = seenOf(run, usual);
  const isCalled = !calledByLambda.test(action) && !calledLate.test(action);
  const reason =
    isPosting && isCalled ? await day.account.takeNotPosted(run.result?.runId ?? '', 40) : because;
  await put(role, role.document);
  if (action.startsWith('ssm:')) await day.account.askHosts(false);
  const expected = isCalled
    ? `${endingOf(part, allowed)}${isPosting ? ', and a message in the queue' : ''}`
    : `complete: ${calledLate.test(action) ? 'called of late hosts only' : 'Lambda itself does it'}`;
  const isNamed = !isCalled || reason.includes(action);
  if (!isNamed) wrong.push(`the reason does not name ${action}`);
  const isEnding = ending === (isCalled ? endingOf(part, allowed) : 'complete');
  return {
    what: [part, action, on],
    expected,
    seen: [ending, ...wrong, reason].filter((text) => text !== '').join(': '),
    asExpected: isEnding && wrong.length === 0,
  };
}

test('each action that is taken away is missed, and named', async () => {
  const all = (await rolesOfFunctions()).flatMap(allowedOf);
  const heads = ['function', 'action', 'on'];
  const outcomes = await outcomesOf('Permissions, one taken away at a time', heads, all, outcomeOf);
  expect(outcomes.length).toBeGreaterThan(40);
  expect(unexpected(outcomes)).toEqual([]);
});
