/** Told once, whatever dies when: runs against a memory that keeps DynamoDB's conditions. */
import type { TellingRules, ToldRecord } from '../../../core/advisory/what-to-tell.ts';
import { campaignReport } from '../../../core/benchmark/campaign/campaign-report.ts';
import type { LinkOf } from '../../../core/report/report-link.ts';
import type { Advisory } from '../../../core/schemas/advisory.ts';
import { type CampaignReport, campaignReportSchema } from '../../../core/schemas/campaign-report.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import { type TellWith, tellFindings } from '../../../lambdas/tell-findings/tell-findings.ts';
import { aCampaign, aResult as aMeasurement, anEnd } from '../../core/benchmark/campaign/campaigns.ts';
import { aLayout } from '../../core/benchmark/campaign/requests.ts';
import { aFinding, aResult } from '../../fixtures/findings.ts';

const start = 1_795_132_800;

class World {
  readonly published: Advisory[] = [];
  readonly memory = new Map<string, ToldRecord>();
  readonly proofs = new Map<string, CampaignReport>();
  readonly unread: string[] = [];
  /** Of the run's report, and how often they were asked for. */
  links: LinkOf | null = null;
  linksAsked = 0;
  /** The next call of this kind dies. */
  dies: keyof TellWith | null = null;

  private die(call: keyof TellWith): void {
    if (this.dies !== call) return;
    this.dies = null;
    throw new Error(`died in ${call}`);
  }

  isAnybodyListening = true;

  readonly with: TellWith = {
    isAnybodyListening: async () => this.isAnybodyListening,
    readTold: async (ids) => {
      this.die('readTold');
      return new Map(
        ids.flatMap((id) => (this.memory.has(id) ? [[id, { ...this.memory.get(id) } as ToldRecord]] : [])),
      );
    },
    claim: async (record, before) => {
      const there = this.memory.get(record.findingId);
      const same =
        there?.claimedEpochSeconds === before?.claimedEpochSeconds &&
        there?.confirmed === before?.confirmed &&
        there?.runId === before?.runId;
      if (same) this.memory.set(record.findingId, record);
      return same;
    },
    publish: async (advisory) => {
      this.die('publish');
      this.published.push(advisory);
    },
    confirm: async (records) => {
      this.die('confirm');
      for (const { findingId, runId } of records) {
        const there = this.memory.get(findingId);
        if (there?.runId === runId) this.memory.set(findingId, { ...there, confirmed: true });
      }
    },
    remember: async (records) => {
      for (const record of records) this.memory.set(record.findingId, record);
    },
    listProofs: async () => {
      this.die('listProofs');
      return [...this.proofs.keys()];
    },
    readProof: async (findingId) => {
      this.die('readProof');
      // As it is stored.
      return campaignReportSchema.parse(JSON.parse(JSON.stringify(this.proofs.get(findingId))));
    },
    onUnread: (because) => this.unread.push(because),
    linksToReport: async () => {
      this.linksAsked += 1;
      return this.links;
    },
  };

  tell(runId: string, afterSeconds: number, findings: readonly Finding[], using: Partial<TellWith> = {}) {
    const rules: TellingRules = {
      runId,
      nowEpochSeconds: start + afterSeconds,
      leastSeverity: 'warning',
      forgetAfterDays: 7,
    };
    const result = aResult(findings, { runId });
    return tellFindings(result, 's3://bucket/summary.json', rules, { ...this.with, ...using });
  }

  toldIds(): string[][] {
    return this.published.map(({ told }) => told.map(({ id }) => id));
  }
}

let world: World;
beforeEach(() => {
  world = new World();
});

const two = [aFinding({ id: 'a' }), aFinding({ id: 'b', kind: 'micro-burst' })];
const day = 86_400;

test('a run tells what is new in one message, and the next run nothing', async () => {
  expect(await world.tell('run-1', 0, two)).toEqual({ told: 2, notTold: 0, nobodyListens: false });
  expect(await world.tell('run-2', day, two)).toEqual({ told: 0, notTold: 2, nobodyListens: false });
  expect(world.toldIds()).toEqual([['a', 'b']]);
  expect([...world.memory.values()].every(({ confirmed }) => confirmed)).toBe(true);
});

test('what goes on is not forgotten while nobody listens, however long', async () => {
  await world.tell('run-1', 0, two);
  world.isAnybodyListening = false;
  const three = [...two, aFinding({ id: 'c' })];
  for (const days of [3, 6, 9]) await world.tell(`run-day-${days}`, days * day, three);
  world.isAnybodyListening = true;
  await world.tell('run-day-10', 10 * day, three);
  expect(world.toldIds()).toEqual([['a', 'b'], ['c']]); // a and b were told 10 days ago, forgotten after 7
});

test('while nobody listens the news waits, unclaimed', async () => {
  world.isAnybodyListening = false;
  expect(await world.tell('run-1', 0, two)).toEqual({ told: 0, notTold: 2, nobodyListens: true });
  expect(world.memory.size).toBe(0);
  world.isAnybodyListening = true;
  await world.tell('run-2', day, two);
  expect(world.toldIds()).toEqual([['a', 'b']]);
});

test('links of the run stand in all that it tells, and are asked for once, where there is something to tell', async () => {
  world.links = (findingId) => `https://reports.example/run-1#${findingId}`;
  await world.tell('run-1', 0, two);
  await world.tell('run-2', day, two);
  expect(world.linksAsked).toBe(1);
  expect(world.published.map(({ reportUrl, told }) => [reportUrl, ...told.map(({ url }) => url)])).toEqual([
    [null, 'a', 'b'].map((id) => `https://reports.example/run-1#${id}`),
  ]);
});

test('a run without findings sends nothing', async () => {
  expect(await world.tell('run-1', 0, [])).toEqual({ told: 0, notTold: 0, nobodyListens: false });
  expect(world.published).toEqual([]);
});

test('one that is new among two is told alone', async () => {
  await world.tell('run-1', 0, two.slice(0, 1));
  await world.tell('run-2', day, two);
  expect(world.toldIds()).toEqual([['a'], ['b']]);
});

test('what got worse is told again as worse', async () => {
  await world.tell('run-1', 0, [aFinding({ id: 'a' })]);
  await world.tell('run-2', day, [aFinding({ id: 'a', severity: 'critical' })]);
  expect(world.published[1]?.told.map(({ change }) => change)).toEqual(['worse']);
});

test('what goes on for a month, seen every day, is told once; gone for eight days it is back', async () => {
  for (let i = 0; i <= 30; i++) await world.tell(`run-${i}`, i * day, two);
  expect(world.published).toHaveLength(1);
  await world.tell('run-39', 39 * day, two);
  expect(world.published[1]?.told.map(({ change }) => change)).toEqual(['back', 'back']);
});

test('of two runs at the same time only one tells', async () => {
  let other: Promise<unknown> = Promise.resolve();
  // The second run reads, claims and tells while the first is between reading and claiming.
  const readTold: TellWith['readTold'] = async (ids) => {
    const read = await world.with.readTold(ids);
    other = world.tell('run-2', 1, two);
    await other;
    return read;
  };
  expect(await world.tell('run-1', 0, two, { readTold })).toEqual({
    told: 0,
    notTold: 2,
    nobodyListens: false,
  });
  expect(world.published.map(({ runId }) => runId)).toEqual(['run-2']);
});

test('each of two runs at the same time tells what it claimed first', async () => {
  const claim: TellWith['claim'] = async (record, before) => {
    if (record.findingId === 'b') await world.tell('run-2', 1, two.slice(1));
    return world.with.claim(record, before);
  };
  await world.tell('run-1', 0, two, { claim });
  expect(world.published.map(({ runId, told }) => [runId, told.map(({ id }) => id)])).toEqual([
    ['run-2', ['b']],
    ['run-1', ['a']],
  ]);
});

describe('died between claim and publish', () => {
  beforeEach(async () => {
    world.dies = 'publish';
    await expect(world.tell('run-1', 0, two)).rejects.toThrow('died in publish');
    expect(world.published).toEqual([]);
  });

  test('the same run tries again and tells', async () => {
    await world.tell('run-1', 5, two);
    expect(world.toldIds()).toEqual([['a', 'b']]);
  });

  test('another run within fifteen minutes leaves it, one after that tells it', async () => {
    await world.tell('run-2', 900, two);
    expect(world.published).toEqual([]);
    await world.tell('run-3', 901, two);
    expect(world.toldIds()).toEqual([['a', 'b']]);
    expect(world.published[0]?.told.map(({ change }) => change)).toEqual(['new', 'new']);
  });
});

test('died between publish and confirm: the retry sends the same id, so that a channel can leave it out', async () => {
  world.dies = 'confirm';
  await expect(world.tell('run-1', 0, two)).rejects.toThrow('died in confirm');
  await world.tell('run-1', 60, two);
  const [first, second] = world.published;
  expect(world.published).toHaveLength(2);
  expect(second).toEqual(first);
  await world.tell('run-2', day, two);
  expect(world.published).toHaveLength(2);
});

test('confirmed half-way: the rest is sent under the id of the first message, also by another run', async () => {
  const confirm: TellWith['confirm'] = async (records) => {
    await world.with.confirm(records.slice(0, 1));
    throw new Error('died half-way');
  };
  await expect(world.tell('run-1', 0, two, { confirm })).rejects.toThrow('died half-way');
  const three = [...two, aFinding({ id: 'c', kind: 'stalled' })];
  await world.tell('run-2', 1_000, three);
  const [first, again, fresh] = world.published;
  expect(again?.told.map(({ id }) => id)).toEqual(['b']);
  expect(again?.id).toBe(first?.id);
  expect(fresh?.told.map(({ id }) => id)).toEqual(['c']);
  expect(fresh?.id).not.toBe(first?.id);
});

test('what a retry finds confirmed is not told again', async () => {
  await world.tell('run-1', 0, two);
  await world.tell('run-1', 10, two);
  expect(world.published).toHaveLength(1);
});

test('a memory that cannot be read tells nothing: everything would be told again', async () => {
  world.dies = 'readTold';
  await expect(world.tell('run-1', 0, two)).rejects.toThrow('died in readTold');
  expect(world.published).toEqual([]);
});

describe('a benchmark of a finding', () => {
  const id = '0123456789abcdef';
  const finding = aFinding({ id });
  const single = (name: string) => aLayout({ name, kind: 'single', members: 1 });
  const iopsOf = { 'present-m1-large': 3_000, 'advised-m1-large': 12_000 };

  /** @param afterSeconds after the first run. */
  const proofAt = (afterSeconds: number): CampaignReport => {
    const campaign = aCampaign({ layouts: [single('present'), single('advised')], findingId: id });
    const measured = new Map(
      Object.entries(iopsOf).map(([cellId, iops]) => [
        cellId,
        [{ runId: 'r1', result: aMeasurement('r1', 16, iops, 2) }],
      ]),
    );
    const ends = Object.keys(iopsOf).map((cellId) => anEnd(cellId));
    return campaignReport(campaign, ends, measured, new Date((start + afterSeconds) * 1_000).toISOString());
  };
  const proofsTold = () =>
    world.published.map(({ told }) => told.map(({ change, proof }) => [change, proof]));
  const line = expect.stringMatching(/^Proved on .*present 3,000 IOPS, advised 12,000 IOPS/);

  test('stands beside the finding that is told', async () => {
    world.proofs.set(id, proofAt(-day));
    await world.tell('run-1', 0, [finding]);
    expect(proofsTold()).toEqual([[['new', line]]]);
  });

  test('of a finding that was told before is told once more, once', async () => {
    await world.tell('run-1', 0, [finding]);
    world.proofs.set(id, proofAt(day / 2));
    await world.tell('run-2', day, [finding]);
    await world.tell('run-3', 2 * day, [finding]);
    expect(proofsTold()).toEqual([[['new', null]], [['proved', line]]]);
  });

  test('made again is told again; of a finding that is gone nothing is', async () => {
    await world.tell('run-1', 0, [finding]);
    world.proofs.set(id, proofAt(day / 2));
    await world.tell('run-2', day, [finding]);
    world.proofs.set(id, proofAt(1.5 * day));
    await world.tell('run-3', 2 * day, []);
    await world.tell('run-4', 3 * day, [finding]);
    expect(proofsTold()).toEqual([[['new', null]], [['proved', line]], [['proved', line]]]);
  });

  test.each(['listProofs', 'readProof'] as const)('that cannot be read (%s) stops nothing', async (call) => {
    world.proofs.set(id, proofAt(-day));
    world.dies = call;
    expect(await world.tell('run-1', 0, [finding])).toMatchObject({ told: 1 });
    expect(proofsTold()).toEqual([[['new', null]]]);
    expect(world.unread).toEqual([`died in ${call}`]);
  });

  test('is read for findings of the run alone', async () => {
    world.proofs.set('ffffffffffffffff', proofAt(-day));
    world.dies = 'readProof';
    await world.tell('run-1', 0, [finding]);
    expect(world.unread).toEqual([]);
  });
});
