/** `changes`: what is asked of the deployed function, what a person reads and is asked, and what is refused. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { parse } from 'yaml';
import {
  changesDecisionSchema,
  changesListSchema,
  changesSwitchedSchema,
} from '../../core/schemas/changes-answers.ts';
import { jsonReply } from '../../local/http.ts';
import { awsError } from '../adapters/aws/aws-error.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { aChange, aPlan, noon } from '../fixtures/volume-change.ts';
import { dba, deployedChanges } from './deployed-changes.ts';
import { expectOneLine } from './expect-one-line.ts';
import { cliJson, person, runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const deployed = deployedChanges();
const here = ['--region', 'us-east-1'];
const changes = (...argv: string[]) => runCli('changes', ...argv, ...here);

const asked = {
  ...{ askedSeconds: noon + 60, lastStartSeconds: null, startSeconds: noon + 61 },
  ...{ completedSeconds: null, refusal: null },
};
const hours = (count: number): number => count * 3_600;
const approvals = [{ by: dba, session: 'ann', atSeconds: noon + 60 }];
/** 15 USD a month less since 73 hours: a tenth of a month. */
const kept = aChange({
  ...{ id: 'c-kept', approvals },
  made: { ...asked, startSeconds: noon + 600 - hours(73), completedSeconds: noon + 600 - hours(72) },
  comparison: {
    ...{ minutes: 10_080, throttledBefore: 70, throttledAfter: 14, loadRatio: 1 },
    ...{ latencyMsBefore: 1, latencyMsAfter: 1 },
  },
  ...{ end: { code: 'kept', outcome: 'better' }, endedSeconds: noon },
});
const growing = aChange({
  ...{ id: 'c-grow', plan: { ...aPlan, to: { ...aPlan.to, sizeGiB: 600 }, monthlyUsdDelta: 8 } },
});

function has(...some: ReturnType<typeof aChange>[]): void {
  for (const one of some) deployed.changes.set(one.id, one);
}

beforeEach(() => {
  person.answers = null;
  person.questions = [];
});

describe('list', () => {
  test('totals first, what is open before what has ended', async () => {
    has(kept, aChange(), aChange({ id: 'c-run', approvals, made: asked }));
    const { code, out, err } = await changes('list');
    expect([code, err]).toEqual([0, '']);
    const lines = out.split('\n');
    expect(lines.slice(0, 4)).toEqual([
      '3 changes: 2 open, 1 kept, 0 undone, 0 not made.',
      '  Claimed      -15.00 USD a month, of all that were made.',
      // 15 USD of 730 hours, for 73 hours
      '  Realised     -15.00 USD a month, of those that stand. Until now, of all changes, also the undone: -1.50 USD.',
      // 14 and 70 minutes in 7 days
      '  Throttled    2 minutes a day instead of 10, of what was compared and kept.',
    ]);
    const at = (text: string): number => lines.findIndex((line) => line.includes(text));
    expect(at('c-run')).toBeGreaterThan(3);
    expect(at('c-kept')).toBeGreaterThan(Math.max(at('c-1 '), at('c-run ')));
    expect(lines.slice(at('c-kept'))).toEqual([
      'c-kept  kept: better, 2026-11-20 12:00 UTC',
      '    vol-0123456789abcdef0 in us-east-1, account 111122223333: gp3, 500 GiB, 6,000 IOPS, 250 MiB/s -> gp3, 500 GiB, 3,000 IOPS, 250 MiB/s',
      '    -15.00 USD a month, -1.50 USD until now. Throttled minutes a day: 10 -> 2. Requested by Slack user U0000000001, approved by role dba of 111122223333 (ann).',
    ]);
  });

  test('as JSON, with its totals', async () => {
    has(kept, aChange());
    const answer = changesListSchema.parse(await cliJson('changes', 'list', ...here));
    expect(answer.changes.map(({ id }) => id)).toEqual(['c-kept', 'c-1']);
    expect(answer.totals).toMatchObject({ changes: 2, open: 1, kept: 1, realisedMonthlyUsd: -15 });
    expect(answer.realisedUsd).toBeCloseTo(-1.5, 9);
  });

  test('none yet, and the switch', async () => {
    deployed.killSwitch = 'stop';
    expect((await changes('list')).out.split('\n')).toEqual([
      '0 changes: 0 open, 0 kept, 0 undone, 0 not made.',
      'Nothing begins and nothing is undone, until somebody lifts it: `stripewise changes go`.',
      'Ask for one by the id of a finding: `stripewise changes request FINDING-ID`.',
    ]);
  });

  test('of many 30 are shown, and says so', async () => {
    has(...Array.from({ length: 32 }, (_, i) => aChange({ id: `c-${i}` })));
    expect((await changes('list')).out).toMatch(
      /\n\.\.\. and 2 earlier changes \(--html and --json have them all\)$/,
    );
  });

  test('a page, beside what is printed', async () => {
    has(kept);
    const file = join(directory.path, 'ledger.html');
    const { err } = await changes('list', '--html', file);
    expect(err).toMatch(/^wrote .*ledger\.html \(1 changes, \d+ KiB\): open it in a browser$/);
    expect(readFileSync(file, 'utf8')).toContain('c-kept');
  });

  test('where it cannot be read, no page appears', async () => {
    deployed.trouble = jsonReply({ Message: 'Forbidden' }, 403);
    const file = join(directory.path, 'none.html');
    expect((await changes('list', '--html', file)).code).toBe(4);
    expect(() => readFileSync(file)).toThrow(/ENOENT/);
  });
});

describe('show', () => {
  test('the plan, its cost, who must approve, and the fingerprint', async () => {
    has(growing);
    const { code, out } = await changes('show', 'c-grow');
    expect(code).toBe(0);
    expect(out).toContain('Cost         +8.00 USD a month');
    expect(out).toContain('Size         Final: a volume never shrinks. From 500 GiB to 600 GiB');
    expect(out).toContain(`Fingerprint  ${growing.fingerprint}`);
  });

  test('as JSON', async () => {
    has(growing);
    const answer = changesDecisionSchema.parse(await cliJson('changes', 'show', 'c-grow', ...here));
    expect(answer).toEqual({ change: growing, approvalsNeeded: 1 });
  });

  test('one that is not there', () =>
    expectOneLine(
      ['changes', 'show', 'c-9', ...here],
      /^stripewise: change c-9: There is no such change\. `stripewise changes list` shows all\.$/,
    ));

  test('its state has the name that list gives it', async () => {
    has(aChange({ approvals, made: asked }));
    expect((await changes('show', 'c-1')).out).toContain('State        being modified.');
    expect((await changes('list')).out).toContain('c-1  being modified');
  });

  test('what is no id asks nobody', async () => {
    await expectOneLine(['changes', 'show', '../c-1', ...here], /"\.\.\/c-1" is no id of a change/);
    expect(deployed.asked).toEqual([]);
  });
});

describe('approve', () => {
  const approvedBy = (id: string) => deployed.changes.get(id)?.approvals.map(({ by }) => by);

  test('shows the change and asks; yes approves what was shown', async () => {
    has(growing);
    person.answers = ['y'];
    const { code, out } = await changes('approve', 'c-grow');
    expect(person.questions).toEqual(['Approve this change? [y/N] ']);
    expect(out).toMatch(/Cost +\+8\.00 USD a month.*[\s\S]*Size +Final: a volume never shrinks/);
    expect([code, approvedBy('c-grow')]).toEqual([0, [dba]]);
    expect(deployed.asked).toEqual([
      { do: 'show', id: 'c-grow' },
      { do: 'approve', id: 'c-grow', fingerprint: growing.fingerprint },
    ]);
  });

  test.each([['n'], [''], ['yess']])('%j approves nothing', async (answer) => {
    has(growing);
    person.answers = [answer];
    const { code, err } = await changes('approve', 'c-grow');
    expect([code, err]).toEqual([2, 'stripewise: not approved: nothing was done']);
    expect(approvedBy('c-grow')).toEqual([]);
  });

  test('Ctrl-D at the question approves nothing', async () => {
    has(growing);
    person.answers = [];
    expect((await changes('approve', 'c-grow')).code).toBe(2);
    expect(approvedBy('c-grow')).toEqual([]);
  });

  test('without a terminal it needs --yes or the fingerprint, and asks nobody', async () => {
    has(growing);
    await expectOneLine(
      ['changes', 'approve', 'c-grow', ...here],
      /approve asks, and standard input is no terminal: give --yes, or the --fingerprint that `changes show` names$/,
    );
    expect(deployed.asked).toEqual([]);
  });

  test('--yes approves the plan that it read just now', async () => {
    has(growing);
    expect((await changes('approve', 'c-grow', '--yes')).code).toBe(0);
    expect(approvedBy('c-grow')).toEqual([dba]);
  });

  test('a plan that changed between question and answer is refused', async () => {
    has(growing);
    deployed.trouble = (request) => {
      if (request.do === 'approve') has({ ...growing, fingerprint: 'another' });
      return null;
    };
    const { code, err } = await changes('approve', 'c-grow', '--yes');
    expect([code, err]).toEqual([
      2,
      'stripewise: change c-grow: This is not the plan as it is now. Look at the change again, then approve that.',
    ]);
    expect(approvedBy('c-grow')).toEqual([]);
  });

  test('the fingerprint of another plan is refused, and nothing is shown', () => {
    has(growing);
    return expectOneLine(
      ['changes', 'approve', 'c-grow', '--fingerprint', 'older', ...here],
      /This is not the plan as it is now/,
    );
  });

  test('what is no fingerprint asks nobody', async () => {
    await expectOneLine(
      ['changes', 'approve', 'c-grow', '--fingerprint', 'a b', ...here],
      /"a b" is no fingerprint: `changes show` names it$/,
    );
    expect(deployed.asked).toEqual([]);
  });

  test('twice is refused, and approves once', async () => {
    has(growing);
    const argv = ['approve', 'c-grow', '--fingerprint', growing.fingerprint];
    expect((await changes(...argv)).code).toBe(0);
    const { code, err } = await changes(...argv);
    expect([code, err]).toMatchObject([2, expect.stringContaining('It is approved already')]);
    expect(approvedBy('c-grow')).toEqual([dba]);
  });

  test('of what has ended nobody is asked', async () => {
    has(kept);
    person.answers = ['y'];
    const { code, err } = await changes('approve', 'c-kept');
    expect([code, person.questions]).toEqual([2, []]);
    expect(err).toContain('It has ended: nothing can be decided any more');
  });

  test('by a role that may not', () => {
    has(growing);
    deployed.approvers = [];
    return expectOneLine(
      ['changes', 'approve', 'c-grow', '--fingerprint', growing.fingerprint, ...here],
      /change c-grow: You may not decide this: changes\.approvers in stripewise\.yaml names who may\.$/,
    );
  });
});

describe('reject and undo', () => {
  test('a change that has not begun is rejected', async () => {
    has(growing);
    const { code, out } = await changes('reject', 'c-grow');
    expect([code, deployed.changes.get('c-grow')?.end]).toEqual([
      0,
      { code: 'not-made', reason: 'rejected' },
    ]);
    expect(out).toContain('It was rejected. Nothing was changed.');
  });

  test('one that has begun is undone, and not rejected', async () => {
    has(aChange({ approvals, made: asked }));
    expect((await changes('reject', 'c-1')).err).toContain('It has begun: undo it instead.');
    const { code, out } = await changes('undo', 'c-1');
    expect([code, deployed.changes.get('c-1')?.undoAskedBy]).toEqual([0, dba]);
    expect(out).toContain('The undo waits until EC2 has completed the change');
  });

  test('an undo is asked for once', async () => {
    has(aChange({ approvals, made: asked, undoAskedBy: 'monitoring' }));
    await expectOneLine(['changes', 'undo', 'c-1', ...here], /Its undo is asked for already\.$/);
  });

  test('a refusal as JSON is the document, and the line', async () => {
    const { code, out, err } = await changes('undo', 'c-9', '--json');
    expect([code, JSON.parse(out)]).toEqual([2, { refused: 'no-change' }]);
    expect(err).toMatch(/^stripewise: change c-9: There is no such change/);
  });
});

describe('request', () => {
  test('the change that is waited for', async () => {
    deployed.proposed = { change: growing, approvalsNeeded: 1 };
    const { code, out } = await changes('request', aPlan.findingId);
    expect([code, deployed.asked]).toEqual([0, [{ do: 'propose', findingId: aPlan.findingId }]]);
    expect(out).toMatch(/^c-grow {2}Change to approve: vol-0123456789abcdef0 in us-east-1\n/);
  });

  test.each<[object, RegExp]>([
    [{ refused: 'no-finding' }, /finding 0123456789abcdef: There is no such finding any more\.$/],
    [{ refused: 'no-online-change' }, /Nothing of this finding is an online change/],
    [{ refused: 'volume-gone' }, /The volume is not there any more\.$/],
    [{ refused: 'volume-changed' }, /somebody changed it since/],
    [{ refused: 'has-a-change', changeId: 'c-7' }, /Change c-7 of this volume is open/],
  ])('%j', async (proposed, line) => {
    deployed.proposed = proposed;
    await expectOneLine(['changes', 'request', aPlan.findingId, ...here], line);
  });
});

describe('a volume that somebody else describes', () => {
  const owner = {
    ...{ kind: 'cloudformation', stackId: 'arn:aws:cloudformation:us-east-1:111122223333:stack/db/1' },
    ...{ logicalId: 'Data', isOfInstance: false },
  };

  test('is not changed: who it is on standard error, the patch alone on standard output', async () => {
    deployed.proposed = { refused: 'owned', owner, plan: aPlan };
    const { code, out, err } = await changes('request', aPlan.findingId);
    expect(code).toBe(2);
    expect(err).toBe(
      'stripewise: finding 0123456789abcdef: CloudFormation describes this volume. Change its template: the next update would undo a change by hand. Stack db.',
    );
    expect(parse(out)).toEqual({
      Resources: {
        Data: {
          Type: 'AWS::EC2::Volume',
          Properties: { VolumeType: 'gp3', Size: 500, Iops: 3_000, Throughput: 250 },
        },
      },
    });
  });

  test('as JSON with the patch, which its schema has', async () => {
    deployed.proposed = { refused: 'owned', owner, plan: aPlan };
    const { code, out } = await changes('request', aPlan.findingId, '--json');
    const answer = changesDecisionSchema.parse(JSON.parse(out));
    expect([code, answer]).toEqual([
      2,
      { refused: 'owned', owner, plan: aPlan, patch: expect.stringContaining('Resources:') },
    ]);
  });

  test('where a tag refuses there is nothing to copy', async () => {
    deployed.proposed = {
      refused: 'owned',
      owner: { kind: 'refused', tag: 'stripewise:changes' },
      plan: aPlan,
    };
    await expectOneLine(
      ['changes', 'request', aPlan.findingId, ...here],
      /The tag stripewise:changes of the volume refuses changes\.$/,
    );
  });

  test.each([
    [{ kind: 'terraform', name: 'terraform' }, /aws_ebs_volume/],
    [{ kind: 'eks', claim: 'data', namespace: 'db', cluster: 'prod' }, /VolumeAttributesClass/],
    [{ kind: 'launch-template', group: 'workers' }, /create-launch-template-version/],
  ])('%j', async (one, patch) => {
    deployed.proposed = { refused: 'owned', owner: one, plan: aPlan };
    expect((await changes('request', aPlan.findingId)).out).toMatch(patch);
  });
});

describe('stop and go', () => {
  test('stop says what EC2 finishes', async () => {
    has(aChange(), aChange({ id: 'c-run', approvals, made: asked }), kept);
    const { code, out } = await changes('stop');
    expect([code, deployed.killSwitch, out.split('\n')]).toEqual([
      0,
      'stop',
      [
        'Stopped: nothing begins and nothing is undone, until `stripewise changes go`.',
        'EC2 finishes what began: 1 modification, of c-run. Nobody can stop that.',
      ],
    ]);
  });

  test('go lifts it, and says what may begin', async () => {
    deployed.killSwitch = 'stop';
    has(aChange());
    const answer = changesSwitchedSchema.parse(await cliJson('changes', 'go', ...here));
    expect(answer).toEqual({ killSwitch: 'go', underWay: [], waiting: ['c-1'] });
    expect(deployed.killSwitch).toBe('go');
  });

  test('whoever may ask may stop, and an approver alone lifts it', async () => {
    deployed.approvers = [];
    expect((await changes('stop')).code).toBe(0);
    await expectOneLine(
      ['changes', 'go', ...here],
      /changes go: You may not decide this: changes\.approvers/,
    );
    expect(deployed.killSwitch).toBe('stop');
  });

  test('it is stopped although what is under way cannot be read', async () => {
    deployed.trouble = ({ do: what }) => (what === 'list' ? jsonReply({ message: 'no' }, 502) : null);
    const { code, out, err } = await changes('stop');
    expect([code, deployed.killSwitch]).toEqual([0, 'stop']);
    expect(out).toMatch(/^Stopped: .*What is under way is not known: `stripewise changes list` says it\.$/);
    expect(err).toBe('stripewise: changes list: the function answered 502: no');
  });
});

describe('who is not let in, and where there is nothing', () => {
  test('a stack without changes', async () => {
    deployed.stack.outputs({ RunsBucket: 'runs' });
    await expectOneLine(
      ['changes', 'list', ...here],
      /changes are not turned on in the stack Stripewise in us-east-1: put a section changes into the configuration and deploy again \(docs\/guides\/changes\.md\)$/,
    );
  });

  test('no stack', async () => {
    deployed.stack.cloudFormation.on(DescribeStacksCommand).rejects(awsError('ValidationError', 'none'));
    await expectOneLine(['changes', 'list', ...here], /there is no stack Stripewise in us-east-1/);
  });

  test('a role that Lambda does not let in is told what to do, in one line', async () => {
    deployed.trouble = jsonReply({ Message: 'Forbidden' }, 403);
    const { code, out, err } = await changes('stop');
    expect([code, out, err]).toEqual([
      4,
      '',
      'stripewise: failed: changes stop: the function answered 403: Forbidden; sign in as a role of changes.approvers.roles, or add yours there',
    ]);
  });

  test('where the function failed, what was decided is not known, and it says so', async () => {
    deployed.trouble = jsonReply({ Message: 'Internal Server Error' }, 502);
    expect((await changes('undo', 'c-1')).err).toBe(
      'stripewise: failed: changes undo: the function answered 502: Internal Server Error; whether it was done is not known, `changes show c-1` says it',
    );
    expect((await changes('show', 'c-1')).err).toMatch(/502: Internal Server Error$/);
  });

  test('an answer of another shape is no answer', async () => {
    deployed.trouble = jsonReply({ changes: 'none' });
    const { code, err } = await changes('list');
    expect([code, err.split('\n').length]).toEqual([4, 1]);
  });
});
