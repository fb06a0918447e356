/** The page of a run: from its result and its series, kept, and listed; also where two runs end together. */
import { Unavailable, Unreadable } from '../../../core/errors.ts';
import type { PackedSeries, ReportWithSeries } from '../../../core/report/audit-report.ts';
import type { RunManifest } from '../../../core/report/run-manifest.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import { type ReportFrom, writeReport } from '../../../lambdas/write-report/write-report.ts';
import { aResult, findingsOnVolumes } from '../../fixtures/findings.ts';

const series = (resourceId: string): PackedSeries => ({ resourceId, packed: 'H4sI' });

/** A bucket whose manifest is changed as S3 lets it be: against what was read, or once more. */
class FakeStore {
  manifest: RunManifest | null = null;
  readonly pages = new Map<string, string>();
  readonly drawn: ReportWithSeries[] = [];
  readonly troubles: Error[] = [];
  readonly notCompared: Error[] = [];
  readonly results = new Map<string, AuditResult>();
  tries = 0;

  from(all: readonly PackedSeries[], from: Partial<ReportFrom> = {}): ReportFrom {
    return {
      readManifest: async () => this.manifest,
      readEarlier: async (runId) => {
        const result = this.results.get(runId);
        if (result === undefined) throw new Unreadable(`s3:GetObject of runs/${runId}: NoSuchKey`);
        return result;
      },
      onNotCompared: (trouble) => {
        this.notCompared.push(trouble);
      },
      readSeries: async () => [...all],
      draw: async (report) => {
        this.drawn.push(report);
        return `<p>${report.report.result.runId}: Größe</p>`;
      },
      putPage: async (key, page) => {
        this.pages.set(key, page);
      },
      changeManifest: async (change) => {
        for (;;) {
          this.tries++;
          const before = this.manifest;
          const after = change(before);
          await Promise.resolve();
          if (this.manifest !== before) continue;
          this.manifest = after;
          return after;
        }
      },
      onTrouble: (trouble) => {
        this.troubles.push(trouble);
      },
      ...from,
    };
  }
}

const request = (result: AuditResult, byHand = false) => ({
  ...{ result, byHand },
  ...{ madeAt: '2026-11-22T12:00:00.000Z', label: 'a trial', runsDays: 400 },
});

test('the page is made of the result and of the series of what was found', async () => {
  const store = new FakeStore();
  const result = aResult(findingsOnVolumes(3));
  const written = await writeReport(
    request(result),
    store.from([series('vol-2'), series('vol-0'), series('vol-7')]),
  );
  expect(store.drawn).toEqual([
    {
      report: {
        ...{ version: 1, madeAt: '2026-11-22T12:00:00.000Z', label: 'a trial', result, comparison: null },
        withSeries: ['vol-0', 'vol-2'],
        withoutSeries: [{ code: 'evaluated-without', resources: 1 }],
      },
      series: [series('vol-0'), series('vol-2')],
    },
  ]);
  expect([...store.pages]).toEqual([['runs/run-1/report.html', '<p>run-1: Größe</p>']]);
  expect(written).toEqual({
    report: 'runs/run-1/report.html',
    // 3 + 5 + 2 + 7 + 4, the ö and the ß of two bytes each.
    reportBytes: 21,
    findingsDrawn: 2,
    runsInManifest: 1,
    manifestFailure: null,
  });
});

test('a run without findings has a page too', async () => {
  const store = new FakeStore();
  expect(await writeReport(request(aResult([])), store.from([]))).toMatchObject({ findingsDrawn: 0 });
  expect(store.pages.size).toBe(1);
});

test('a run that was asked for by hand is listed as that', async () => {
  const store = new FakeStore();
  await writeReport(request(aResult([]), true), store.from([]));
  expect(store.manifest?.runs).toMatchObject([{ runId: 'run-1', byHand: true }]);
});

test('of two runs that end together both are listed', async () => {
  const store = new FakeStore();
  const written = await Promise.all(
    ['run-1', 'run-2'].map((runId) => writeReport(request(aResult([], { runId })), store.from([]))),
  );
  expect(store.manifest?.runs.map(({ runId }) => runId)).toEqual(['run-1', 'run-2']);
  expect(written.map(({ runsInManifest }) => runsInManifest).sort()).toEqual([1, 2]);
  expect(store.tries).toBe(3);
});

test.each<[string, Partial<ReportFrom>]>([
  ['drawn', { draw: () => Promise.reject(new Error('it does not work')) }],
  ['kept', { putPage: () => Promise.reject(new Error('it does not work')) }],
])('a page that cannot be %s is in no list', async (_, from) => {
  const store = new FakeStore();
  await expect(writeReport(request(aResult([])), store.from([], from))).rejects.toThrow('it does not work');
  expect(store.manifest).toBeNull();
});

test('where the list cannot be changed the report is there all the same, and why is said in a line', async () => {
  const store = new FakeStore();
  const trouble = new Unreadable('s3://b/runs/manifest.json is not what was written there\nat all');
  const changeManifest = () => Promise.reject(trouble);
  const written = await writeReport(request(aResult([])), store.from([], { changeManifest }));
  expect(written).toMatchObject({
    report: 'runs/run-1/report.html',
    runsInManifest: null,
    manifestFailure: 'Unreadable: s3://b/runs/manifest.json is not what was written there',
  });
  expect([...store.pages.keys()]).toEqual(['runs/run-1/report.html']);
  expect(store.troubles).toEqual([trouble]);
});

test('a run leaves the list when its page goes', async () => {
  const store = new FakeStore();
  const old = { ...request(aResult([], { runId: 'old' })), madeAt: '2026-11-15T11:00:00.000Z' };
  await writeReport(old, store.from([]));
  // 7 days and an hour later.
  await writeReport({ ...request(aResult([])), runsDays: 7 }, store.from([]));
  expect(store.manifest?.runs.map(({ runId }) => runId)).toEqual(['run-1']);
});

describe('the earlier run', () => {
  const day = (n: number) => ({ start: `2026-11-0${n}T00:00:00Z`, end: `2026-11-1${n}T00:00:00Z` });
  const earlier = aResult(findingsOnVolumes(2), { runId: 'earlier', window: day(1) });
  const later = aResult(findingsOnVolumes(3), { runId: 'later', window: day(2) });

  async function written(result: AuditResult, { byHand = false, from = {} as Partial<ReportFrom> } = {}) {
    const store = new FakeStore();
    await writeReport(request(earlier), store.from([]));
    store.results.set('earlier', earlier);
    await writeReport(request(result, byHand), store.from([], from));
    return { ...store, comparison: store.drawn[1]?.report.comparison };
  }

  test('is compared with this one, without what is ongoing', async () => {
    const { comparison } = await written(later);
    expect(comparison).toMatchObject({
      known: true,
      value: {
        ...{ before: { runId: 'earlier' }, after: { runId: 'later' } },
        counts: { new: 1, ongoing: 2 },
        findings: [{ change: 'new', finding: { id: 'finding-2' } }],
      },
    });
  });

  test('is not compared with a run by hand, which has a window of its own', async () => {
    expect((await written(later, { byHand: true })).comparison).toBeNull();
  });

  test.each<[string, Partial<ReportFrom>, RegExp]>([
    [
      'that is not kept',
      { readEarlier: () => Promise.reject(new Unreadable('s3:GetObject: NoSuchKey\nmore')) },
      /^Unreadable: s3:GetObject: NoSuchKey$/,
    ],
    [
      'whose list cannot be read',
      { readManifest: () => Promise.reject(new Unavailable('s3:ListBucket: no answer')) },
      /^Unavailable: s3:ListBucket: no answer$/,
    ],
  ])('%s: the page is there, says why, and the run is listed', async (_, from, reason) => {
    const { comparison, pages, manifest, notCompared } = await written(later, { from });
    expect(comparison).toEqual({ known: false, reason: expect.stringMatching(reason) });
    expect(notCompared).toHaveLength(1);
    expect([...pages.keys()]).toContain('runs/later/report.html');
    expect(manifest?.runs.map(({ runId }) => runId)).toContain('later');
  });

  test('of a run that is tried again is the same: not itself', async () => {
    const store = new FakeStore();
    store.results.set('earlier', earlier);
    for (const result of [earlier, later, later]) await writeReport(request(result), store.from([]));
    expect(store.drawn[2]).toEqual(store.drawn[1]);
    expect(store.drawn[2]?.report.comparison).toMatchObject({ value: { before: { runId: 'earlier' } } });
  });
});
