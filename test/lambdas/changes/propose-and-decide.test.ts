/** A change is asked for and decided: one volume has one change, one decision is written once. */
import type { VolumeChange } from '../../../core/schemas/volume-change.ts';
import { decideChange } from '../../../lambdas/decide-change/decide-change.ts';
import { type ProposeWith, proposeChange } from '../../../lambdas/decide-change/propose-change.ts';
import { aChange, aPlan, noon } from '../../fixtures/volume-change.ts';

const side = ({ iops }: { iops: number }) => ({
  ...{ members: 1, volumeType: 'gp3', sizeGiB: 500, iops, throughputMiBps: 250 },
});
const finding = {
  ...{ id: aPlan.findingId, kind: 'over-provisioned' },
  resource: { type: 'volume', account: aPlan.account, region: aPlan.region, id: aPlan.volumeId },
  recommendations: [
    {
      ...{ action: 'modify', inPlace: true, monthlyUsdDelta: -15 },
      change: { of: 'volume', from: side({ iops: 6_000 }), to: side({ iops: 3_000 }) },
      effect: { throttledMinutesBefore: 0, throttledMinutesAfter: 0 },
    },
  ],
} as never;

function world(more: Partial<ProposeWith> = {}) {
  const started: VolumeChange[] = [];
  let item = { holder: null as string | null, takenSeconds: 0, revision: 0 };
  let ids = 0;
  const use: ProposeWith = {
    finding: async () => finding,
    volume: async () => ({ settings: aPlan.from, tags: {}, instanceTags: null, operator: null }),
    ledger: {
      read: async (id) => started.find((change) => change.id === id) ?? null,
      volume: async () => item,
      writeVolume: async (_account, _region, _volumeId, next) => {
        if (next.revision !== item.revision) return false;
        item = { ...next, revision: next.revision + 1 };
        return true;
      },
    },
    start: async (change) => void started.push(change),
    newId: () => `c-${++ids}`,
    nowSeconds: () => noon,
    automatic: [],
    rules: { windows: [], mostAtOnce: 2, mostADay: 10, mostUsdPerMonth: 100 },
    approvalsNeeded: 1,
    ...more,
  };
  return {
    use,
    started,
    end: (id: string) =>
      Object.assign(started.find((one) => one.id === id) ?? {}, { end: { code: 'undone' } }),
  };
}

describe('a change is asked for', () => {
  test('it is planned for today, and waits for an approval', async () => {
    const { use, started } = world();
    expect(await proposeChange(aPlan.findingId, 'slack:U1', use)).toMatchObject({
      change: {
        id: 'c-1',
        plan: { ...aPlan, plannedOn: '2026-11-20' },
        requestedBy: 'slack:U1',
        approvals: [],
      },
    });
    expect(started).toHaveLength(1);
  });

  test('a rule approves it at once, as often as people would have to', async () => {
    const automatic = [{ direction: 'reduction', tags: {}, maxUsdPerMonth: 20 }] as const;
    const { use } = world({ automatic, approvalsNeeded: 2 });
    expect(await proposeChange(aPlan.findingId, 'slack:U1', use)).toMatchObject({
      change: { approvals: [{ by: 'rule 1' }, { by: 'rule 1' }] },
    });
  });

  const refusals: [string, Partial<ProposeWith>, object][] = [
    ['nobody remembers the finding', { finding: async () => null }, { refused: 'no-finding' }],
    [
      'nothing of it is done online',
      { finding: async () => ({ ...(finding as object), recommendations: [] }) as never },
      { refused: 'no-online-change' },
    ],
    ['the volume is gone', { volume: async () => null }, { refused: 'volume-gone' }],
    [
      'it was changed since',
      { volume: async () => ({ settings: aPlan.to, tags: {}, instanceTags: null, operator: null }) },
      { refused: 'volume-changed' },
    ],
    [
      'CloudFormation describes it',
      {
        volume: async () => ({
          ...{ settings: aPlan.from, instanceTags: null, operator: null },
          tags: { 'aws:cloudformation:stack-id': 'arn:stack', 'aws:cloudformation:logical-id': 'Data' },
        }),
      },
      { refused: 'owned', owner: { kind: 'cloudformation', logicalId: 'Data' } },
    ],
  ];
  test.each(refusals)('%s: it is refused, and nothing is started', async (_, more, refused) => {
    const { use, started } = world(more);
    expect(await proposeChange(aPlan.findingId, 'slack:U1', use)).toMatchObject(refused);
    expect(started).toEqual([]);
  });

  test('a volume has one change at a time, however many ask in the same moment', async () => {
    const { use, started, end } = world();
    const all = await Promise.all(
      Array.from({ length: 5 }, () => proposeChange(aPlan.findingId, 'slack:U1', use)),
    );
    expect(all.filter((one) => 'change' in one)).toHaveLength(1);
    expect(started).toHaveLength(1);
    end('c-1');
    await expect(proposeChange(aPlan.findingId, 'slack:U1', use)).resolves.toHaveProperty('change');
  });

  test('who was killed before the start has the volume for an hour', async () => {
    let now = noon;
    const killed = world({
      nowSeconds: () => now,
      start: () => Promise.reject(new Error('killed')),
    });
    await expect(proposeChange(aPlan.findingId, 'slack:U1', killed.use)).rejects.toThrow('killed');
    const after = { ...killed.use, start: async () => {} };
    expect(await proposeChange(aPlan.findingId, 'slack:U1', after)).toEqual({
      ...{ refused: 'has-a-change', changeId: 'c-1' },
    });
    now += 3_600;
    expect(await proposeChange(aPlan.findingId, 'slack:U1', after)).toHaveProperty('change');
  });
});

describe('a decision', () => {
  const rules = { approvers: ['slack:U0000000002'], approvalsNeeded: 1 };
  const by = 'slack:U0000000002';
  const decide = (change: VolumeChange, { conflicts = 0 } = {}) => {
    let left = conflicts;
    const resumed: string[] = [];
    const writes: VolumeChange[] = [];
    const use = {
      ledger: {
        read: async (id: string) => (id === change.id ? change : null),
        write: async (next: VolumeChange) => (left-- > 0 ? false : writes.push(next) > 0),
      },
      resume: async ({ id }: VolumeChange) => void resumed.push(id),
      ...{ rules, nowSeconds: () => noon },
    };
    return { use, resumed, writes };
  };
  const approval = (change: VolumeChange) => ({ code: 'approve', fingerprint: change.fingerprint }) as const;

  test('is written once others have written, and the workflow goes on', async () => {
    const change = aChange();
    const { use, resumed, writes } = decide(change, { conflicts: 2 });
    expect(await decideChange('c-1', approval(change), { by }, use)).toHaveProperty('change');
    expect([writes.length, resumed]).toEqual([1, ['c-1']]);
  });

  test('that came before resumes the workflow again: who wrote it may have been killed', async () => {
    const change = aChange({ approvals: [{ by, session: null, atSeconds: noon }] });
    const { use, resumed, writes } = decide(change);
    expect(await decideChange('c-1', approval(change), { by }, use)).toEqual({ refused: 'approved-already' });
    expect([writes.length, resumed]).toEqual([0, ['c-1']]);
  });

  test('on no change is refused; where others write again and again nothing is decided', async () => {
    const change = aChange();
    expect(await decideChange('c-2', { code: 'reject' }, { by }, decide(change).use)).toEqual({
      refused: 'no-change',
    });
    await expect(
      decideChange('c-1', { code: 'reject' }, { by }, decide(change, { conflicts: 9 }).use),
    ).rejects.toThrow('others wrote it 5 times meanwhile');
  });
});
