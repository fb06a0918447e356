/** What is said of a press of a button of a change, by what the function that decides answers. */
import fc from 'fast-check';
import type { Refusal } from '../../../core/changes/decisions.ts';
import { Unreadable } from '../../../core/errors.ts';
import { changesByButton } from '../../../lambdas/slack-actions/changes-by-button.ts';
import { untrustedText } from '../../fixtures/untrusted-text.ts';
import { aChange, aPlan, noon } from '../../fixtures/volume-change.ts';

const [person, by] = ['U0123456789', 'slack:U0123456789'];

const made = {
  ...{
    askedSeconds: noon,
    lastStartSeconds: null,
    startSeconds: null,
    completedSeconds: null,
    refusal: null,
  },
};

class World {
  asked: unknown[] = [];
  private readonly answer: unknown;
  constructor(answer: unknown) {
    this.answer = answer;
  }
  use() {
    return changesByButton(async (request) => {
      this.asked.push(request);
      return this.answer;
    });
  }
}
const approving = (answer: unknown): Promise<string> => new World(answer).use().approve('c-1', 'f', by);
const proposing = (answer: unknown): Promise<string> => new World(answer).use().propose('f-1', by);

test('each button asks for its own, by whom', async () => {
  const world = new World({ change: aChange(), approvalsNeeded: 1 });
  const use = world.use();
  await use.propose('f-1', by);
  await use.approve('c-1', 'fedcba9876543210', by);
  await use.reject('c-1', by);
  await use.undo('c-1', by);
  expect(world.asked).toEqual([
    { by, do: 'propose', findingId: 'f-1' },
    { by, do: 'approve', id: 'c-1', fingerprint: 'fedcba9876543210' },
    { by, do: 'reject', id: 'c-1' },
    { by, do: 'undo', id: 'c-1' },
  ]);
});

test('an approval says who, and what is next: whether somebody else must approve', async () => {
  const change = aChange({ approvals: [{ by, session: null, atSeconds: noon }] });
  expect(await approving({ change, approvalsNeeded: 1 })).toBe(
    `<@${person}> approved this. It begins as soon as its window, its limits and the modifications of the volume allow it.`,
  );
  expect(await approving({ change, approvalsNeeded: 2 })).toMatch(
    /^<@U0123456789> approved this\. Approve or reject it in Slack/,
  );
});

test('a request names the change', async () => {
  expect(await proposing({ change: aChange(), approvalsNeeded: 1 })).toMatch(
    /^<@U0123456789> requested this\. It is change c-1\. Approve or reject it/,
  );
});

test('a rejection says how it ended, an undo what it waits for', async () => {
  const rejected = aChange({ end: { code: 'not-made', reason: 'rejected' } });
  expect(await new World({ change: rejected, approvalsNeeded: 1 }).use().reject('c-1', by)).toBe(
    `<@${person}> rejected this. It was rejected. Nothing was changed.`,
  );
  const undone = aChange({ made: { ...made, startSeconds: noon }, undoAskedBy: by });
  expect(await new World({ change: undone, approvalsNeeded: 1 }).use().undo('c-1', by)).toBe(
    `<@${person}> asked to undo this. The undo waits until EC2 has completed the change: minutes, or more than a day.`,
  );
});

test.each<[Refusal | 'no-change', RegExp]>([
  ['not-an-approver', /^You may not decide this/],
  ['no-change', /^There is no such change/],
  ['expired', /72 hours/],
])('who is refused (%s) hears why', async (refused, text) => {
  expect(await approving({ refused })).toMatch(text);
});

test('what is open already names its change', async () => {
  expect(await proposing({ refused: 'has-a-change', changeId: 'c-7' })).toBe(
    'Change c-7 of this volume is open. Wait until it has ended.',
  );
});

test('a volume that somebody describes comes with the patch for it', async () => {
  const owner = { kind: 'cloudformation', stackId: 'arn', logicalId: 'Data', isOfInstance: false };
  const text = await proposing({ refused: 'owned', owner, plan: aPlan });
  expect(text).toMatch(/^CloudFormation describes this volume\. [^`]*```\n[^`]*\n```$/);
  expect(text).toContain('  Data:\n    Type: AWS::EC2::Volume');
});

test('an answer that is none is no answer', async () => {
  for (const answer of [null, {}, { error: 'x' }, { refused: 'x' }, { change: { id: 'c-1' } }])
    await expect(approving(answer)).rejects.toThrow(Unreadable);
});

test('nothing foreign in an answer calls, links or leaves its block', async () => {
  await fc.assert(
    fc.asyncProperty(
      untrustedText,
      fc.constantFrom('eks', 'launch-template', 'other', 'refused', 'service', 'cloudformation'),
      async (text, kind) => {
        const owner = {
          ...{ kind, stackId: text, logicalId: text, isOfInstance: false, claim: text, namespace: text },
          ...{ cluster: text, group: text, name: text, tag: text, principal: text },
        };
        const plan = { ...aPlan, region: text, volumeId: text };
        const answers = [
          { refused: 'owned', owner, plan },
          { refused: 'has-a-change', changeId: text },
        ];
        for (const answer of answers) {
          const said = await proposing(answer);
          expect(said).not.toMatch(/<(?!@U0123456789>)|>(?<!<@U0123456789>)/);
          expect(said.split('```').length % 2).toBe(1);
          expect(said.split('```').length).toBeLessThanOrEqual(3);
        }
      },
    ),
  );
});
