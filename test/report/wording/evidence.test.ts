/** Evidence is shown in words with units, whatever the engine writes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../../core/schemas/finding.ts';
import { evidenceParts, wordsOfKey } from '../../../report/wording/evidence.ts';
import { evidenceNames } from '../../../report/wording/evidence-names.ts';

type Evidence = Finding['evidence'];

const line = (evidence: Evidence, key: string) => {
  const label = (evidenceNames as Record<string, readonly [string, string]>)[key]?.[1] ?? wordsOfKey(key);
  return evidenceParts(evidence)
    .flatMap(({ lines }) => lines)
    .find((one) => one.label === label);
};
const text = (key: string, value: Evidence[string], beside: Evidence = {}) =>
  line({ ...beside, [key]: value }, key)?.text;

test.each([
  ['limitIops', 3_000, '3,000 IOPS'],
  ['topAverageMiBps', 124.96, '125 MiB/s'],
  ['wantedMiBpsAtMost', 46.3, '46.3 MiB/s'],
  ['advisedSizeGiB', 100, '100 GiB'],
  ['medianLatencyMsHeldBack', 43.521, '43.52 ms'],
  ['lowestBalancePercent', 0, '0 %'],
  ['heldBackMinutesWorst24h', 12.5, '12.5 min'],
  ['slowMinutesInWindow', 3, '3 min'],
  ['burstSecondsMedian', 4.25, '4.3 s'],
  ['knownHours', 26, '26 h'],
  ['monthlyUsd', 1_090, '1,090.00 USD'],
  ['timesSiblings', 2.5, '2.5 times'],
  ['rateShare', 0.97, '97 %'],
  ['topQueueLength', 130.63, '130.63'],
  ['periodsProvedByCheck', 8, '8'],
  ['replayMedianDeviationPoints', 1.2, '1.2 percentage points'],
  ['until', '2026-11-20T00:00:00Z', '2026-11-20 00:00 UTC'],
  ['bindingLimit', 'iops+throughput', 'IOPS and throughput together'],
  ['decidedBy', 'the sum over its volumes', 'the sum over its volumes'],
  ['stripeEvidence', 'tag', 'a tag on each'],
])('%s of %s reads: %s', (key, value, told) => {
  expect(text(key, value)).toBe(told);
});

test('rates of bursts and of credits have the unit that stands beside them', () => {
  expect(text('burstRateMedian', 9_000, { burstUnit: 'IOPS' })).toBe('9,000 IOPS');
  expect(text('drainPerSecond', 12.25, { unit: 'MiB/s' })).toBe('12.3 MiB/s');
});

test('what is not known is said so, and a zero is a figure', () => {
  expect(line({ topQueueLength: null }, 'topQueueLength')).toMatchObject({
    text: 'not known',
    isKnown: false,
  });
  expect(line({ topQueueLength: 0 }, 'topQueueLength')).toMatchObject({ text: '0', isKnown: true });
});

test('where there is no reason there is nothing to tell', () => {
  expect(evidenceParts({ priceUnknownBecause: null, alike: [], balanceDisagreement: null })).toEqual([]);
});

test('lists stay lists; an empty one that is asked for says none', () => {
  expect(text('members', ['vol-1', 'vol-2'])).toEqual(['vol-1', 'vol-2']);
  expect(text('volumesToLower', [])).toBe('none');
});

test('text of the account is shown as it is, also where it is called like something of a JavaScript object', () => {
  expect(text('decidedBy', 'constructor')).toBe('constructor');
  expect(text('constructor', '<img src=x>')).toBe('<img src=x>');
});

test.each([
  ['throughputMiBpsOfAll', 'Throughput MiB/s of all'],
  ['someNewIopsLimit', 'Some new IOPS limit'],
  ['sizeGiB', 'Size GiB'],
  ['minutesOf24h', 'Minutes of 24 h'],
  ['plain', 'Plain'],
])('a figure without a name of its own is named by its key: %s reads %s', (key, words) => {
  expect(wordsOfKey(key)).toBe(words);
});

/** What is seen of an instance period by period is called evidence too, and is no finding's. */
const isOfInstances = (name: string): boolean => name.endsWith('instance-evidence.ts');

/** Keys of each object that is written as evidence, in the sources of the engine. */
function keysWritten(): string[] {
  const core = join(import.meta.dirname, '../../../core');
  const files = readdirSync(core, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !isOfInstances(name),
  );
  const keys = files.flatMap((name) => {
    const source = readFileSync(join(core, name), 'utf8');
    // An object of one of these is evidence: `evidence: {`, `const evidence = {`, or what a function of that name gives back.
    const starts =
      /(?:\bevidence(?:: | = )|Evidence(?: =>)? =? ?\(\{ ?|Evidence = |Evidence\b[^\n;]*=>\s*\(|Evidence \{\n(?:[^}]*\n)*? {2}return )\{\n/g;
    return [...source.matchAll(starts)].flatMap(({ 0: { length }, index }) => {
      const body = source.slice(index + length);
      const end = body.search(/\n\s*\}/);
      return [...body.slice(0, end).matchAll(/^\s+([a-z]\w*)(?=[:,])/gm)].map(([, key]) => key as string);
    });
  });
  return [...new Set(keys)];
}

test('each figure that the engine writes has a name', () => {
  const written = keysWritten();
  // The pattern still meets the sources.
  expect(written).toEqual(
    expect.arrayContaining(['operations', 'instanceType', 'advisedMembers', 'members']),
  );
  expect(written.filter((key) => !Object.hasOwn(evidenceNames, key))).toEqual([]);
});

test('no name is the raw key, and no two are the same', () => {
  const names = Object.values(evidenceNames).map(([, name]) => name);
  expect(names.filter((name) => /[a-z][A-Z](?!OPS|iB)/.test(name.replaceAll('MiB/s', '')))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});
