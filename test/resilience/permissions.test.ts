/** The deployed audit with IAM enforced: it passes with exactly its policies, and each action that is removed is missed. */
import type { DeployedRun } from '../../local/run-audit.ts';
import { openLink, putPage, signedLink } from '../workflows/opened-reports.ts';
import { type Ending, seenOf } from './evaluation-outcome.ts';
import {
  type Allowed,
  allowedOf,
  type FunctionRoles,
  statementOf,
  withIam,
  without,
} from './function-roles.ts';
import { type Incident, startIncident } from './incident.ts';
import { notifiedInAll } from './notify-later.ts';
import { type Outcome, outcomesOf, unexpected } from './outcome-table.ts';

const parts = [
  'RefreshCatalog',
  'DiscoverVolumes',
  'EvaluateBatch',
  'CollectFindings',
  'WriteReport',
  'NotifyFindings',
  'DrawDashboard',
];

/** Lambda does it for a function, with its role; the local one needs no permission for that: see the templates' tests. */
const calledByLambda = /^(logs|xray):/;
/** Called of a host that never ends, minutes later: it is in unit tests. */
const calledLate = /^ssm:CancelCommand$/;

let day: Incident;
let roles: FunctionRoles;
let usual: DeployedRun;

beforeAll(async () => {
  const trouble = withIam((made) => {
    roles = made;
  });
  day = await startIncident(trouble);
  await day.run();
  usual = await day.run();
}, 400_000);
afterAll(() => day?.remove());

test('with exactly its policies the audit is complete, and tells', async () => {
  await day.account.forgetNotified();
  const before = await day.account.findingsPosted();
  await day.account.forgetRegionCatalog();
  expect(seenOf(await day.run(), usual)).toEqual({ ending: 'complete', reason: '', wrong: [] });
  expect((await day.account.findingsPostedInAll()) - before).toBe(notifiedInAll);
});

/** Why a run is complete without it; null where it is not. */
function withoutImpact(part: string, allowed: Allowed): string | null {
  const { action } = allowed;
  if (calledByLambda.test(action)) return 'Lambda itself does it';
  if (calledLate.test(action)) return 'called of late hosts only';
  if (part === 'CollectFindings' && action.startsWith('dynamodb:')) return 'not counted, and logged';
  // All of a message that a topic cannot carry whole; that of the small fleet it can. The model of notifications has large ones.
  if (part === 'NotifyFindings' && action === 's3:PutObject') return 'no message is too large for the topic';
  // Whether there are earlier readings of a host is asked where it has counted something: test/workflows/asked-hosts.test.ts.
  if (part === 'EvaluateBatch' && action === 's3:ListBucket' && statementOf(allowed).includes('hosts/'))
    return 'hosts of the small fleet count nothing';
  // Runs and proofs are one statement, and so are the secret of channels and the key of links: without the first of each
  // nobody is reported.
  return part === 'NotifyFindings' && action === 's3:ListBucket'
    ? 'notified without validations, and logged'
    : null;
}

const endingWithout: Record<string, Ending> = {
  RefreshCatalog: 'partial',
  DiscoverVolumes: 'partial',
  EvaluateBatch: 'partial',
  CollectFindings: 'failed',
  // At its very end: all is reported by then.
  WriteReport: 'failed',
  NotifyFindings: 'failed',
  DrawDashboard: 'failed',
};

/** Of the stored prices, which are needed where a batch has no result: that makes the run partial by itself. */
function isOfPricesAlone(allowed: Allowed): boolean {
  const text = statementOf(allowed);
  return text.includes('catalog/') && !text.includes('work/');
}

const endingOf = (part: string, allowed: Allowed): Ending =>
  part === 'CollectFindings' && isOfPricesAlone(allowed) ? 'partial' : (endingWithout[part] ?? 'failed');

/** What a run must do so that the function makes this call at all. */
async function prepare(part: string, allowed: Allowed): Promise<void> {
  const { action } = allowed;
  // What is stored is read where something is stored, and written where nothing is.
  if (part === 'RefreshCatalog' && action !== 's3:GetObject') await day.account.forgetRegionCatalog();
  if (action.startsWith('ssm:')) await day.account.discoverHosts(true);
  if (part === 'NotifyFindings') await day.account.forgetNotified();
  // It evaluates a batch without metrics, by prices, where that has no result.
  if (part === 'CollectFindings' && isOfPricesAlone(allowed))
    day.gateway.faults.add({ kind: 'crash', times: -1, operation: 'GetMetricData' });
  // What was begun is read by who comes after one that died.
  if (action === 'dynamodb:GetItem')
    day.gateway.faults.add({ kind: 'crash', times: 1, operation: 'Publish', functionPart: part });
}

async function outcomeOf(allowed: Allowed): Promise<Outcome> {
  const { role, action, on } = allowed;
  const part = parts.find((one) => role.functionName.includes(one)) ?? '';
  day.gateway.reset();
  await prepare(part, allowed);
  const since = Date.now();
  await roles.put(role, without(allowed));
  const run = await day.run();
  const { ending, reason, wrong } = seenOf(run, usual);
  const harmless = withoutImpact(part, allowed);
  const isCalled = harmless === null;
  await roles.put(role, role.document);
  if (action.startsWith('ssm:')) await day.account.discoverHosts(false);
  const isLogged = harmless?.endsWith('logged') ?? false;
  const said = isLogged ? (await day.account.logged(part, since)).join() : reason;
  const expected = isCalled ? endingOf(part, allowed) : `complete: ${harmless}`;
  const isNamed = !(isCalled || isLogged) || said.includes(action);
  if (!isNamed) wrong.push(`the reason does not name ${action}`);
  const isEnding = ending === (isCalled ? endingOf(part, allowed) : 'complete');
  return {
    what: [part, action, on],
    expected,
    seen: [ending, ...wrong, isLogged ? '' : said].filter((text) => text !== '').join(': '),
    asExpected: isEnding && wrong.length === 0,
  };
}

test('each action that is removed is missed, and named', async () => {
  const all = (await roles.of(parts)).flatMap(allowedOf);
  const heads = ['function', 'action', 'on'];
  const outcomes = await outcomesOf('Permissions, one removed at a time', heads, all, outcomeOf);
  expect(outcomes.length).toBeGreaterThan(40);
  expect(unexpected(outcomes)).toEqual([]);
});

describe('the endpoint that opens reports', () => {
  const id = 'opened-1';
  /** As who has a link opens it, with a function that knows nothing yet. */
  async function open(): Promise<string> {
    await day.account.restart('OpenReport');
    const { status, page } = await openLink(await signedLink(day.services, day.outputs, id));
    return `${status}${page === null ? '' : `, then ${page.status}`}`;
  }
  beforeAll(() => putPage(day.services, day.outputs, `runs/${id}/report.html`, '<!doctype html>'));

  test('with exactly its policies a link leads to the page', async () => {
    expect(await open()).toBe('302, then 200');
  });

  test('each action that is removed is missed', async () => {
    const [role] = await roles.of(['OpenReport']);
    const all = (role === undefined ? [] : allowedOf(role)).filter(
      ({ action }) => !calledByLambda.test(action),
    );
    const expected: Record<string, string> = {
      'secretsmanager:GetSecretValue': '503',
      's3:GetObject': '503',
      // Asked only of a page that it may not look at.
      's3:ListBucket': '302, then 200',
    };
    const seen: Record<string, string> = {};
    for (const allowed of all) {
      await roles.put(allowed.role, without(allowed));
      seen[allowed.action] = await open();
      await roles.put(allowed.role, allowed.role.document);
    }
    expect(seen).toEqual(expected);
    expect(await open()).toBe('302, then 200');
  });
});
