/** Links to reports: who has one can open that report until its time, and nothing else. */
import fc from 'fast-check';
import { runKeys } from '../../../core/audit/run-keys.ts';
import { campaignIdSchema, campaignKeys } from '../../../core/benchmark/campaign/campaign.ts';
import {
  evaluationOn,
  type LinkTarget,
  linksTo,
  reportPageKey,
  signedTarget,
} from '../../../core/report/report-link.ts';

const key = 'k'.repeat(64);
const baseUrl = 'https://abc.lambda-url.us-east-1.on.aws/';
const until = 1_797_724_800;
const target: LinkTarget = { kind: 'runs', id: 'run-1', untilEpochSeconds: until };

const pathOf = (one: LinkTarget): string => {
  const link = linksTo(baseUrl, one, key)?.(null);
  if (link === undefined) throw new Error(`no link can name ${one.id}`);
  return new URL(link).pathname;
};
/** What becomes of a path a second before the link ends, unless another time is said. */
const evaluationOf = (path: string, { at = until - 1, using = key } = {}): string => {
  const signed = signedTarget(path);
  return signed === null ? 'malformed' : evaluationOn(signed, using, at);
};

test('a link names the report, its time and a signature, and what is behind # is told to nobody', () => {
  const links = linksTo(baseUrl, target, key);
  expect(links?.(null)).toMatch(
    /^https:\/\/abc\.lambda-url\.us-east-1\.on\.aws\/runs\/run-1\/1797724800\/[\w-]{43}$/,
  );
  expect(links?.('0123456789abcdef')).toBe(`${links?.(null)}#finding-0123456789abcdef`);
  expect(evaluationOf(pathOf(target))).toBe('good');
});

test('a link to a campaign asks for its report', () => {
  const campaign = { ...target, kind: 'campaigns', id: 'stripe-of-4_b' } as const;
  expect(signedTarget(pathOf(campaign))).toMatchObject(campaign);
  expect(evaluationOf(pathOf(campaign))).toBe('good');
});

test('the reports are where runs and campaigns have their folders', () => {
  expect(reportPageKey({ kind: 'runs', id: 'a' })).toBe(runKeys('a').report);
  expect(reportPageKey({ kind: 'campaigns', id: 'a' })).toBe(campaignKeys('a').page);
});

test.each([
  ['the second before its time', until - 1, 'good'],
  ['the second of its time', until, 'expired'],
  ['a year later', until + 365 * 86_400, 'expired'],
])('used again %s it is %s', (_, at, status) => {
  expect(evaluationOf(pathOf(target), { at })).toBe(status);
});

test('under another key it is forged, also where it has expired: what it says of its time is not believed', () => {
  expect(evaluationOf(pathOf(target), { using: 'l'.repeat(64) })).toBe('forged');
  expect(evaluationOf(pathOf(target), { using: 'l'.repeat(64), at: until })).toBe('forged');
});

test.each([
  ['another run', 1, 'run-2'],
  ['a later time', 2, `${until + 1}`],
  ['a signature of its own', 3, 'A'.repeat(43)],
])('with %s it is forged', (_, part, instead) => {
  const parts = pathOf(target).slice(1).split('/');
  expect(evaluationOf(`/${parts.with(part, instead).join('/')}`)).toBe('forged');
});

test('a run and a campaign of the same name are two reports', () => {
  expect(evaluationOf(pathOf(target).replace('/runs/', '/campaigns/'))).toBe('forged');
});

test.each([
  ['nothing', ''],
  ['the root', '/'],
  ['without a signature', `/runs/run-1/${until}`],
  ['without a time', `/runs/run-1/${'A'.repeat(43)}`],
  ['without an id', `/runs//${until}/${'A'.repeat(43)}`],
  ['another folder', `/work/run-1/${until}/${'A'.repeat(43)}`],
  ['out of its folder', `/runs/../${until}/${'A'.repeat(43)}`],
  ['out of it, escaped', `/runs/%2e%2e/${until}/${'A'.repeat(43)}`],
  ['a slash in the id', `/runs/a/b/${until}/${'A'.repeat(43)}`],
  ['an escaped slash in the id', `/runs/a%2fb/${until}/${'A'.repeat(43)}`],
  ['a line break behind it', `/runs/run-1/${until}/${'A'.repeat(43)}\n`],
  ['a slash behind it', `/runs/run-1/${until}/${'A'.repeat(43)}/`],
  ['a time with a zero before it', `/runs/run-1/0${until}/${'A'.repeat(43)}`],
  ['a negative time', `/runs/run-1/-${until}/${'A'.repeat(43)}`],
  ['a signature that is too short', `/runs/run-1/${until}/${'A'.repeat(42)}`],
  ['a signature that is too long', `/runs/run-1/${until}/${'A'.repeat(44)}`],
  ['an id of 81 characters', `/runs/${'a'.repeat(81)}/${until}/${'A'.repeat(43)}`],
  ['a megabyte', `/runs/${'a'.repeat(1_000_000)}/${until}/${'A'.repeat(43)}`],
])('%s is no link', (_, path) => {
  expect(evaluationOf(path)).toBe('malformed');
});

test.each(['', ' ', '..', '.a', 'a/b', 'a b', 'a\nb', 'a%2fb', 'ä', '-a', 'a'.repeat(81)])(
  'no link can name a run that is called %j',
  (id) => {
    expect(linksTo(baseUrl, { ...target, id }, key)).toBeNull();
  },
);

const idCharacters = [...'ABCXYZabcxyz0189._-'];
const someId = fc
  .tuple(fc.constantFrom(...'aZ9'), fc.string({ unit: fc.constantFrom(...idCharacters), maxLength: 79 }))
  .map((parts) => parts.join(''));
const someTarget = fc.record({
  kind: fc.constantFrom('runs' as const, 'campaigns' as const),
  id: someId,
  untilEpochSeconds: fc.integer({ min: 1_000_000_000, max: 9_999_999_999 }),
});

test('each link that is signed is good, and says what was signed', () => {
  fc.assert(
    fc.property(someTarget, (one) => {
      const path = pathOf(one);
      expect(evaluationOf(path, { at: one.untilEpochSeconds - 1 })).toBe('good');
      expect(signedTarget(path)).toMatchObject(one);
    }),
  );
});

test('every id of a campaign can be linked to', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/), (id) => {
      expect(campaignIdSchema.safeParse(id).success).toBe(true);
      expect(linksTo(baseUrl, { ...target, kind: 'campaigns', id }, key)).not.toBeNull();
    }),
  );
});

test('a link with any character changed, left out or put in opens nothing', () => {
  const someCharacter = fc.oneof(
    fc.constantFrom(...idCharacters, '/', '%', '='),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(
      someTarget,
      fc.nat(),
      someCharacter,
      fc.constantFrom(0, 1),
      (one, somewhere, character, out) => {
        const path = pathOf(one);
        const at = somewhere % path.length;
        const mutated = `${path.slice(0, at)}${character}${path.slice(at + out)}`;
        fc.pre(mutated !== path);
        // Also long before its time: a link that says another is none.
        expect(evaluationOf(mutated, { at: 0 })).not.toBe('good');
        expect(evaluationOf(`${path.slice(0, at)}${path.slice(at + 1)}`, { at: 0 })).not.toBe('good');
      },
    ),
    { numRuns: 1_000 },
  );
});

test('whatever is asked for: an object that a link leads to is a report, and nothing else', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webPath(), someId), (text) => {
      const signed = signedTarget(`/runs/${text}/${until}/${'A'.repeat(43)}`);
      if (signed !== null) expect(reportPageKey(signed)).toMatch(/^runs\/[A-Za-z0-9][\w.-]*\/report\.html$/);
    }),
  );
});
