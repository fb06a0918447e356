/**
 * Runs over accounts that answer, refuse, answer in part or are not asked, in any order: what an account has counts as gone
 * once a run that read its Region in whole did not see it, and never otherwise. The model knows places and findings alone.
 */
import fc from 'fast-check';
import { coverageOfAccounts, unlisted } from '../../core/audit/accounts.ts';
import type { FindingRecord } from '../../core/lifecycle/finding-record.ts';
import { afterObservation } from '../../core/lifecycle/lifecycle.ts';
import { observationsOf } from '../../core/lifecycle/observations.ts';
import { isoFromEpochSeconds, secondsPerDay } from '../../core/units.ts';
import { aFinding, anEvaluation, aResult, onVolume, someRules } from '../fixtures/findings.ts';

const accounts = ['111122223333', '222233334444', '333344445555'] as const;
const regions = ['us-east-1', 'eu-central-1'] as const;
const places = accounts.flatMap((account) => regions.map((region) => ({ account, region })));

/** What a run meets at a place: whether it is listed in whole, and whether its one volume has its trouble. */
type Met = 'not asked' | 'refused' | 'in part, unseen' | 'whole, troubled' | 'whole, healthy' | 'whole, gone';
const met: fc.Arbitrary<Met> = fc.constantFrom(
  ...([
    'not asked',
    'refused',
    'in part, unseen',
    'whole, troubled',
    'whole, healthy',
    'whole, gone',
  ] as const),
);
const story = fc.array(fc.tuple(met, met, met, met, met, met), { minLength: 1, maxLength: 12 });

/** Two accounts have volumes of the same name; ids are never the same. */
const idOf = (place: number): string => `vol-${place}`;

function runOf(mets: readonly Met[], run: number) {
  const endEpochSeconds = 1_795_132_800 + run * secondsPerDay;
  const asked = places.flatMap((place, index) => {
    const outcome = mets[index] ?? 'not asked';
    return outcome === 'not asked' ? [] : [{ ...place, index, outcome }];
  });
  const accountCoverage = coverageOfAccounts(
    accounts.map(unlisted),
    asked.map(({ account, region, outcome }) => ({
      ...{ account, region, volumes: 1, whole: outcome.startsWith('whole') },
      refused: outcome === 'refused' ? { code: 'role-refused', reason: null } : null,
    })),
    null,
  );
  const findings = asked
    .filter(({ outcome }) => outcome === 'whole, troubled')
    .map(({ account, region, index }) =>
      aFinding({ id: idOf(index), resource: onVolume(idOf(index), { account, region }) }),
    );
  const volumes = asked
    .filter(({ outcome }) => outcome === 'whole, troubled' || outcome === 'whole, healthy')
    .map(({ account, region, index, outcome }) =>
      anEvaluation({
        ...{ volumeId: idOf(index), account, region },
        status: outcome === 'whole, healthy' ? 'healthy' : 'finding',
      }),
    );
  return aResult(findings, {
    ...{ runId: `run-${run}`, volumes, accountCoverage, accounts: [...accounts], wholeRegions: undefined },
    window: {
      start: isoFromEpochSeconds(endEpochSeconds - secondsPerDay),
      end: isoFromEpochSeconds(endEpochSeconds),
    },
  });
}

/** Who was not looked at for longer counts no more: one look ends it. */
const staleDays = someRules.staleSeconds.audit / secondsPerDay;
/** So many runs that looked and did not see it end a finding. */
const runsToEnd = someRules.settle.audit.observations;

test('a finding ends where its place was read in whole without it, often enough; and nowhere else', () => {
  fc.assert(
    fc.property(story, (runs) => {
      const records = new Map<string, FindingRecord>();
      /** By place: how often all was read and nothing seen, and when last looked; null: it is not open. */
      const model: ({ missed: number; lastRun: number } | null)[] = places.map(() => null);
      for (const [run, mets] of runs.entries()) {
        const result = runOf(mets, run);
        const open = [...records.values()].filter(({ level }) => level !== null);
        const atEpochSeconds = 1_795_132_800 + run * secondsPerDay;
        for (const [id, observation] of observationsOf(result, open, someRules)) {
          const after = afterObservation(id, records.get(id) ?? null, observation, someRules, atEpochSeconds);
          if (after !== null) records.set(id, after);
        }
        for (const [index, outcome] of mets.entries()) {
          const before = model[index] ?? null;
          if (outcome === 'whole, troubled') model[index] = { missed: 0, lastRun: run };
          else if (outcome.startsWith('whole') && before !== null) {
            const missed = before.missed + 1;
            const isOver = missed >= runsToEnd || run - before.lastRun > staleDays;
            model[index] = isOver ? null : { missed, lastRun: run };
          }
        }
        const isOpen = places.map((_, index) => (records.get(idOf(index))?.level ?? null) !== null);
        expect(isOpen).toEqual(model.map((one) => one !== null));
      }
    }),
    { numRuns: Number(process.env['STRIPEWISE_MODEL_RUNS'] ?? 1_000) },
  );
});
