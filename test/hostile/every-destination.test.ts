/** Whatever stands in the account and whatever AWS says: valid and inert in every place that a run's text goes to. */
import fc from 'fast-check';
import { inertJson } from '../../core/inert.ts';
import { type Outcome, printOutcomes, unexpected } from '../faults/outcome-table.ts';
import { type HostileKind, hostileKinds, hostileTextOf } from '../fixtures/hostile-text.ts';
import { destinations } from './destinations.ts';
import { type HostileRun, hostileRun, hostileTexts } from './hostile-run.ts';

const runs = 12;
/** Of the destinations that take long. */
const fewRuns: Record<string, number> = { 'CSV of --minutes': 6 };
const runsOf = (name: string): number => fewRuns[name] ?? runs;
const harmlessTexts = hostileTexts(fc.constant('harmless'));

/** Every destination looks at the same runs: the first complaint of each, with the texts that it was about. */
async function complaintsOf(kind: HostileKind, harmless: HostileRun): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const samples = fc.sample(hostileTexts(hostileTextOf(kind)), { numRuns: runs, seed: 7 });
  for (const [i, texts] of samples.entries()) {
    const run = await hostileRun(texts);
    for (const [name, complaints] of Object.entries(destinations(harmless))) {
      const all = i < runsOf(name) ? complaints(run) : [];
      if (all.length > 0 && !found.has(name)) found.set(name, `${all.join(', ')}: ${inertJson(texts)}`);
    }
  }
  return found;
}

test('each kind of text in each destination', async () => {
  const [texts] = fc.sample(harmlessTexts, 1);
  if (texts === undefined) throw new Error('no text');
  const harmless = await hostileRun(texts);
  const outcomes: Outcome[] = [];
  for (const kind of hostileKinds) {
    const found = await complaintsOf(kind, harmless);
    for (const name of Object.keys(destinations(harmless))) {
      const seen = found.get(name);
      outcomes.push({
        what: [name, kind, String(runsOf(name))],
        expected: 'valid, inert',
        seen: seen ?? 'valid, inert',
        asExpected: seen === undefined,
      });
    }
  }
  outcomes.sort((a, b) => (a.what[0] ?? '').localeCompare(b.what[0] ?? ''));
  printOutcomes('hostile text', ['destination', 'kind of text', 'runs'], outcomes);
  expect(unexpected(outcomes)).toEqual([]);
});
