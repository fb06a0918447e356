/** Whatever stands in the account and whatever AWS says: valid and sanitized in every place that a run's text goes to. */
import fc from 'fast-check';
import { sanitizeJson } from '../../core/sanitize.ts';
import { type UntrustedKind, untrustedKinds, untrustedTextOf } from '../fixtures/untrusted-text.ts';
import { type Outcome, printOutcomes, unexpected } from '../resilience/outcome-table.ts';
import { destinations } from './destinations.ts';
import { type UntrustedRun, untrustedRun, untrustedTexts } from './untrusted-run.ts';

const runs = 12;
/** Of the destinations that take long. */
const fewRuns: Record<string, number> = { 'CSV of --minutes': 6 };
const runsOf = (name: string): number => fewRuns[name] ?? runs;
const harmlessTexts = untrustedTexts(fc.constant('harmless'));

/** Every destination looks at the same runs: the first complaint of each, with the texts that it was about. */
async function complaintsOf(kind: UntrustedKind, harmless: UntrustedRun): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const samples = fc.sample(untrustedTexts(untrustedTextOf(kind)), { numRuns: runs, seed: 7 });
  for (const [i, texts] of samples.entries()) {
    const run = await untrustedRun(texts);
    for (const [name, complaints] of Object.entries(destinations(harmless))) {
      const all = i < runsOf(name) ? complaints(run) : [];
      if (all.length > 0 && !found.has(name)) found.set(name, `${all.join(', ')}: ${sanitizeJson(texts)}`);
    }
  }
  return found;
}

test('each kind of text in each destination', async () => {
  const [texts] = fc.sample(harmlessTexts, 1);
  if (texts === undefined) throw new Error('no text');
  const harmless = await untrustedRun(texts);
  const outcomes: Outcome[] = [];
  for (const kind of untrustedKinds) {
    const found = await complaintsOf(kind, harmless);
    for (const name of Object.keys(destinations(harmless))) {
      const seen = found.get(name);
      outcomes.push({
        what: [name, kind, String(runsOf(name))],
        expected: 'valid, sanitized',
        seen: seen ?? 'valid, sanitized',
        asExpected: seen === undefined,
      });
    }
  }
  outcomes.sort((a, b) => (a.what[0] ?? '').localeCompare(b.what[0] ?? ''));
  printOutcomes('untrusted text', ['destination', 'kind of text', 'runs'], outcomes);
  expect(unexpected(outcomes)).toEqual([]);
});
