/** What people read of a change at each of its steps, of each of its ends, and of each refusal. */
import fc from 'fast-check';
import { decisionRefusals } from '../../../core/schemas/changes-answers.ts';
import { type ChangeEnd, notMadeReasons, outcomes } from '../../../core/schemas/volume-change.ts';
import type { Owner } from '../../../core/schemas/volume-owner.ts';
import type { Proposed } from '../../../lambdas/decide-change/propose-change.ts';
import {
  changeLines,
  changesLine,
  changeTitle,
  endText,
  ownerText,
  type ProposalRefusal,
  proposalRefusalText,
  refusalText,
  settingsText,
} from '../../../report/wording/changes.ts';
import { stepsOfChanges } from '../../fixtures/steps-of-changes.ts';
import { untrustedText } from '../../fixtures/untrusted-text.ts';
import { aChange, aPlan } from '../../fixtures/volume-change.ts';
import { expectToRead, unreadable } from './rendered.ts';

const ends: ChangeEnd[] = [
  ...notMadeReasons.map((reason) => ({ code: 'not-made' as const, reason })),
  { code: 'modification-failed' },
  ...outcomes.map((outcome) => ({ code: 'kept' as const, outcome })),
  { code: 'undone' },
  ...notMadeReasons.map((reason) => ({ code: 'undo-not-made' as const, reason })),
];

const owners: Owner[] = [
  { kind: 'nobody' },
  { kind: 'cloudformation', stackId: 'arn', logicalId: 'Data', isOfInstance: false },
  { kind: 'cloudformation', stackId: 'arn', logicalId: 'Host', isOfInstance: true },
  { kind: 'eks', claim: 'orders', namespace: 'shop', cluster: 'prod' },
  { kind: 'launch-template', group: 'web' },
  { kind: 'terraform', name: 'terraform' },
  { kind: 'other', name: 'team-storage' },
  { kind: 'service', principal: 'eks.amazonaws.com' },
  { kind: 'service', principal: null },
  { kind: 'refused', tag: 'stripewise:changes' },
];

const proposals: ProposalRefusal[] = [
  ...(['no-finding', 'no-online-change', 'volume-gone', 'volume-changed'] as const).map((refused) => ({
    refused,
  })),
  { refused: 'has-a-change', changeId: 'c-1' },
  { refused: 'has-a-change', changeId: '' },
];

const steps = stepsOfChanges.flatMap(({ title, change, approvalsNeeded }) => [
  `## ${title}`,
  changeTitle(change, { approvalsNeeded }),
  ...changeLines(change, { approvalsNeeded }).map(({ label, text }) => `${label}: ${text}`),
  '',
]);
const counts = { days: 30, kept: 3, undone: 1, notMade: 0, realisedMonthlyUsd: -45.5 };
const minutes = { throttledMinutesADayBefore: 700.25, throttledMinutesADayAfter: 3 };
const none = { throttledMinutesADayBefore: 0, throttledMinutesADayAfter: 0 };
const monthly = [
  changesLine({ ...counts, ...minutes }),
  changesLine({ ...counts, ...none, notMade: 2, undoNotMade: 1, realisedMonthlyUsd: null }),
];
const sentences = [
  ...monthly,
  ...ends.map(endText),
  ...decisionRefusals.map((refusal) => refusalText(refusal)),
  refusalText('no-change'),
  refusalText('ended', aChange({ end: { code: 'undone' } })),
  ...owners.map(ownerText),
  ...proposals.map(proposalRefusalText),
];

test('the lines are those that were read in a review (UPDATE_LINES=1 writes them anew)', () => {
  expectToRead('changes.txt', [...steps, '## Ends, refusals and owners', ...sentences]);
});

test('none is too long, and nothing is missing', () => {
  expect(unreadable([...steps, ...sentences])).toEqual([]);
});

test('every end, refusal and owner says something of its own, in whole sentences', () => {
  expect(new Set(ends.map((end) => `${end.code} ${endText(end)}`)).size).toBe(ends.length);
  for (const text of sentences) expect(text).toMatch(/\.$/);
});

test('a refusal of a proposal is one that the function gives', () => {
  // Both ways: what the one has and the other does not, does not compile.
  const given: Exclude<Proposed, { change: unknown }>[] = proposals;
  const said: ProposalRefusal[] = given;
  expect(said).toHaveLength(6);
});

test('settings name what is provisioned, and nothing else', () => {
  expect(settingsText({ volumeType: 'gp2', sizeGiB: 100, iops: null, throughputMiBps: null })).toBe(
    'gp2, 100 GiB',
  );
  expect(settingsText(aPlan.to)).toBe('gp3, 500 GiB, 3,000 IOPS, 250 MiB/s');
});

test('that a size is final is said before somebody approves, and only where it grows', () => {
  const grows = aChange({ plan: { ...aPlan, to: { ...aPlan.to, sizeGiB: 600 } } });
  const labels = (change = aChange()) => changeLines(change).map(({ label }) => label);
  expect(labels(grows)).toContain('Size');
  expect(labels()).not.toContain('Size');
});

test('what others wrote moves and hides nothing', () => {
  fc.assert(
    fc.property(untrustedText, (text) => {
      const change = aChange({
        ...{ id: text, requestedBy: text, undoAskedBy: text, endedBy: text, end: { code: 'undone' } },
        plan: { ...aPlan, volumeId: text, region: text, account: text, findingId: text, volumeName: text },
      });
      const shown = [changeTitle(change), ...changeLines(change).map((one) => one.text)].join('');
      expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(ownerText({ kind: 'other', name: text })).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    }),
  );
});
