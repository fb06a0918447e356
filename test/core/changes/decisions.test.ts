/** Who may approve, reject and undo a change, and which rule approves it without anybody. */
import { approve, approvingRule, askUndo, reject } from '../../../core/changes/decisions.ts';
import { isReduction } from '../../../core/changes/plan.ts';
import type { AutomaticRule } from '../../../core/config/changes.ts';
import type { VolumeChange } from '../../../core/schemas/volume-change.ts';
import { aChange, aPlan, noon } from '../../fixtures/volume-change.ts';

const [requester, first, second] = ['slack:U0000000001', 'slack:U0000000002', 'slack:U0000000003'] as const;
const one = { approvers: [requester, first, second], approvalsNeeded: 1 };
const two = { ...one, approvalsNeeded: 2 };
const hour = 3_600;
const at = (by: string, afterHours = 1) => ({ by, nowSeconds: noon + afterHours * hour });
const approvedBy = (by: string): Partial<VolumeChange> => ({
  approvals: [{ by, session: null, atSeconds: noon }],
});
const made = {
  askedSeconds: noon,
  lastStartSeconds: null,
  startSeconds: null,
  completedSeconds: null,
  refusal: null,
};
const ended = { end: { code: 'not-made', reason: 'rejected' } } as const;

describe('an approval', () => {
  test('says who and when', () => {
    const change = aChange();
    expect(approve(change, change.fingerprint, at(first), one)).toEqual({
      change: { ...change, approvals: [{ by: first, session: null, atSeconds: noon + hour }] },
    });
  });

  test('of one who asked for it counts where one must approve', () => {
    const change = aChange();
    expect(approve(change, change.fingerprint, at(requester), one)).toHaveProperty('change');
  });

  test.each([
    ['by nobody who may', aChange(), at('slack:U9'), one, 'not-an-approver'],
    ['of an older plan', aChange({ fingerprint: 'newer' }), at(first), one, 'other-plan'],
    ['twice by one', aChange(approvedBy(first)), at(first), two, 'approved-already'],
    ['of what is approved', aChange(approvedBy(first)), at(second), one, 'approved-already'],
    ['by the requester, where two are asked', aChange(), at(requester), two, 'is-requester'],
    ['after 72 hours', aChange(), at(first, 72.1), one, 'expired'],
    ['of what is made', aChange({ made }), at(first), one, 'begun-already'],
    ['of what has ended', aChange(ended), at(first), one, 'ended'],
  ] as const)('%s is refused', (_, change, by, rules, refused) => {
    expect(approve(change, aChange().fingerprint, by, rules)).toEqual({ refused });
  });
});

describe('a rejection', () => {
  test('ends it, and says who', () =>
    expect(reject(aChange(), at(first), one)).toMatchObject({
      change: { end: { code: 'not-made', reason: 'rejected' }, endedBy: first },
    }));

  test('is for who asked for it too', () =>
    expect(reject(aChange(), at(requester), { approvers: [first], approvalsNeeded: 1 })).toHaveProperty(
      'change',
    ));

  test.each([
    ['by others', aChange(), at('slack:U9'), 'not-an-approver'],
    ['of what is made', aChange({ made }), at(first), 'begun-already'],
    ['of what has ended', aChange(ended), at(first), 'ended'],
  ] as const)('%s is refused', (_, change, by, refused) => {
    expect(reject(change, by, one)).toEqual({ refused });
  });
});

test.each([
  ['of what is not made', aChange(), 'not-begun'],
  ['twice', aChange({ made, undoAskedBy: second }), 'undo-asked-already'],
  ['of what has ended', aChange({ made, ...ended }), 'ended'],
] as const)('an undo %s is refused', (_, change, refused) => {
  expect(askUndo(change, at(first), one)).toEqual({ refused });
  expect(askUndo(aChange({ made }), at(first), one)).toMatchObject({ change: { undoAskedBy: first } });
});

describe('what is a reduction', () => {
  const { from } = aPlan;
  test.each([
    ['fewer IOPS', { ...from, iops: 3_000 }, true],
    ['less throughput', { ...from, throughputMiBps: 125 }, true],
    ['more of both', { ...from, iops: 7_000, throughputMiBps: 300 }, false],
    ['a larger size', { ...from, sizeGiB: 600 }, false],
    // 500 GiB of gp2: 1,500 IOPS, with credits 3,000.
    ['gp2', { volumeType: 'gp2', sizeGiB: 500, iops: null, throughputMiBps: null }, true],
  ] as const)('%s', (_, to, expected) => expect(isReduction({ from, to })).toBe(expected));
});

describe('a rule', () => {
  const rule: AutomaticRule = { direction: 'reduction', tags: {}, maxUsdPerMonth: 20 };
  const asked = { plan: aPlan, kind: 'over-provisioned', tags: { env: 'test' } } as const;
  test.each([
    ['of its direction, below its price', [rule], 1],
    ['of another direction', [{ ...rule, direction: 'increase' }], null],
    ['of a lower price: 15 USD are more than 10', [{ ...rule, maxUsdPerMonth: 10 }], null],
    ['of another kind', [{ ...rule, kinds: ['cheaper-type'] }], null],
    ['of tags that the volume has', [{ ...rule, tags: { env: 'test' } }], 1],
    ['of tags that it has not', [{ ...rule, tags: { env: 'production' } }], null],
    ['that comes second', [{ ...rule, maxUsdPerMonth: 1 }, rule], 2],
  ] as const)('%s', (_, rules, expected) =>
    expect(approvingRule(asked, rules as readonly AutomaticRule[])).toBe(expected),
  );

  test('approves nothing against latency: that it helps is shown by no simulation', () => {
    const plan = { ...aPlan, findingKind: 'latency-above-target' } as const;
    expect(approvingRule({ ...asked, kind: 'latency-above-target', plan }, [rule])).toBeNull();
  });

  test('approves nothing whose price is not known', () =>
    expect(approvingRule({ ...asked, plan: { ...aPlan, monthlyUsdDelta: null } }, [rule])).toBeNull());
});
