/** A step of a change in each channel: what it says, which buttons it has, and that nothing foreign in it acts. */
import fc from 'fast-check';
import { changeMessageOf, needsPerson } from '../../core/changes/message.ts';
import {
  type NotifiedStep,
  notifiedSteps,
  notMadeReasons,
  type VolumeChange,
} from '../../core/schemas/volume-change.ts';
import { amazonQChange } from '../../report/amazon-q/notification.ts';
import { eventChange } from '../../report/event/notification-event.ts';
import { changeMail } from '../../report/mail/mail.ts';
import { slackChange } from '../../report/slack/change-message.ts';
import { teamsChange } from '../../report/teams/card.ts';
import { changeLines, stepNow } from '../../report/wording/changes.ts';
import { stepsOfChanges } from '../fixtures/steps-of-changes.ts';
import { untrustedText } from '../fixtures/untrusted-text.ts';
import { aChange, aPlan, noon } from '../fixtures/volume-change.ts';
import { restless } from '../untrusted/complaints.ts';
import { notificationComplaints } from './amazon-q/notification-complaints.ts';
import { detailOf, eventComplaints } from './event/event-complaints.ts';
import { messageComplaints, wholeText } from './slack/message-complaints.ts';
import { cardComplaints } from './teams/card-complaints.ts';

const message = (step: NotifiedStep, more: Partial<VolumeChange> = {}, needed = 1) =>
  changeMessageOf(aChange(more), step, needed);
const buttonsOf = (one: ReturnType<typeof message>, hasButtons = true): unknown[] =>
  slackChange(one, hasButtons).blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
const approvals = [{ by: 'slack:U0000000002', session: null, atSeconds: noon }];

describe('buttons in Slack', () => {
  test('what is proposed is approved for what stands there, or rejected', () => {
    const { fingerprint } = aChange();
    expect(buttonsOf(message('proposed'))).toMatchObject([
      { text: { text: 'Approve' }, action_id: 'stripewise_approve_change', value: `c-1 ${fingerprint}` },
      { text: { text: 'Reject' }, action_id: 'stripewise_reject_change', value: 'c-1' },
    ]);
  });

  test('what is begun can be undone', () => {
    expect(buttonsOf(message('made'))).toMatchObject([
      { text: { text: 'Undo' }, action_id: 'stripewise_undo_change', value: 'c-1' },
    ]);
  });

  test.each([
    ['where a rule approved it', message('proposed', { approvals })],
    ['where its undo is asked for', message('undo-asked')],
    ['where it has ended', message('ended', { end: { code: 'undone' } })],
    ['where an id would not fit', message('proposed', { id: 'x y' })],
  ])('there are none %s', (_, one) => {
    expect(buttonsOf(one)).toEqual([]);
  });

  test('there are none where nobody hears them', () => {
    expect(buttonsOf(message('proposed'), false)).toEqual([]);
  });

  test('the second of two who must approve has them too', () => {
    expect(buttonsOf(message('proposed', { approvals }, 2))).toHaveLength(2);
  });
});

test.each(stepsOfChanges)('$title: every channel says all of its lines', ({ change, approvalsNeeded }) => {
  const one = changeMessageOf(change, stepNow(change), approvalsNeeded);
  const labels = changeLines(change, { approvalsNeeded }).map(({ label }) => label);
  expect(labels.length).toBeGreaterThanOrEqual(4);
  for (const text of [
    wholeText(slackChange(one, true)),
    changeMail(one).text,
    JSON.stringify(teamsChange(one)),
    amazonQChange(one).content.description,
    JSON.stringify(eventChange(one)),
  ])
    expect(labels.filter((label) => !text.includes(label))).toEqual([]);
});

test('an event says the change as it is, which step it is, and of which volume', () => {
  const [[entry] = []] = eventChange(message('undo-asked'));
  if (entry === undefined) throw new Error('there is one');
  expect(entry.detailType).toBe('stripewise change undo asked');
  expect(entry.resources).toEqual(['arn:aws:ec2:us-east-1:111122223333:volume/vol-0123456789abcdef0']);
  expect(detailOf(entry)).toMatchObject({
    changeId: 'c-1#undo-asked',
    step: 'undo-asked',
    change: aChange(),
  });
});

test('a mail has its title as subject', () => {
  expect(changeMail(message('proposed')).subject).toBe(
    'stripewise: Change to approve: vol-0123456789abcdef0 in us-east-1',
  );
});

test('a person must act where the volume may have what hurts it, or nobody knows what it has', () => {
  const urgent = (code: 'not-made' | 'undo-not-made') =>
    notMadeReasons.filter((reason) => needsPerson({ end: { code, reason } }));
  expect(urgent('not-made')).toEqual(['modification-failed', 'outcome-unknown']);
  expect(urgent('undo-not-made')).toEqual(notMadeReasons.filter((reason) => reason !== 'volume-gone'));
  expect(needsPerson({ end: null })).toBe(false);
  expect(needsPerson({ end: { code: 'kept', outcome: 'worse' } })).toBe(false);
  expect(needsPerson({ end: { code: 'modification-failed' } })).toBe(true);
});

test('nothing foreign in a change calls, links, formats or hides, whatever the channel', () => {
  fc.assert(
    fc.property(untrustedText, fc.constantFrom(...notifiedSteps), (text, step) => {
      const change = aChange({
        ...{ id: text, fingerprint: text, requestedBy: text, undoAskedBy: text, endedBy: text },
        ...{
          end: { code: 'not-made', reason: 'refused-by-ec2' },
          approvals: [{ by: text, session: text, atSeconds: noon }],
        },
        made: {
          ...{ askedSeconds: noon, lastStartSeconds: null, startSeconds: null, completedSeconds: null },
          refusal: text,
        },
        plan: {
          ...aPlan,
          account: text,
          region: text,
          volumeId: text,
          findingId: text,
          volumeName: text,
          plannedOn: text,
        },
      });
      const one = changeMessageOf(change, step, 1);
      const { subject, text: mail } = changeMail(one);
      expect([
        ...messageComplaints(slackChange(one, true)),
        ...cardComplaints(teamsChange(one)),
        ...notificationComplaints(amazonQChange(one)),
        ...eventComplaints(eventChange(one)),
      ]).toEqual([]);
      expect(subject).toMatch(/^[\x21-\x7e][\x20-\x7e]{0,98}$/);
      expect(mail.split('\n').filter((line) => restless.test(line))).toEqual([]);
    }),
  );
});
