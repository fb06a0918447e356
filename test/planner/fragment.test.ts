/** What a link says is read as figures, choices and short texts, and what is not right is a line. */
import fc from 'fast-check';
import {
  addressOf,
  choiceField,
  choicesField,
  type Fields,
  hashOf,
  numberField,
  optional,
  readState,
  regionNameField,
  tabNames,
  textField,
  usualState,
  writeState,
} from '../../planner/fragment.ts';

interface Asked {
  iops: number;
  share: number;
  usd: number | null;
  kind: 'linear' | 'stripe';
  types: readonly ('gp3' | 'io2' | 'st1')[];
  instance: string;
  region: string;
}

const fields: Fields<Asked> = {
  iops: numberField(8_000, 1, 1_000_000, true),
  share: numberField(0.5, 0, 1),
  usd: optional(numberField(1, 0.01, 1e7)),
  kind: choiceField('linear', ['linear', 'stripe']),
  types: choicesField(['gp3', 'io2'], ['gp3', 'io2', 'st1']),
  instance: textField('', /^[a-z0-9.-]*$/, 'the name of a type', 30),
  region: regionNameField,
};

const linkOf = (state: Asked): string => {
  const params = new URLSearchParams();
  writeState('plan', fields, state, params);
  return `#${hashOf('plan', params)}`;
};
const read = (hash: string) => {
  const address = addressOf(hash);
  return address === null ? null : readState('plan', fields, address.params);
};

const upTo9Digits = (least: number, most: number) =>
  fc
    .double({ min: least, max: most, noNaN: true })
    .map((value) => Math.max(least, Math.min(most, Number(value.toFixed(9)))));
const asked: fc.Arbitrary<Asked> = fc.record({
  iops: fc.integer({ min: 1, max: 1_000_000 }),
  share: upTo9Digits(0, 1),
  usd: fc.option(upTo9Digits(0.01, 1e7)),
  kind: fc.constantFrom('linear', 'stripe'),
  types: fc.subarray<'gp3' | 'io2' | 'st1'>(['gp3', 'io2', 'st1'], { minLength: 1 }),
  instance: fc.stringMatching(/^[a-z0-9.-]{0,30}$/),
  region: fc.constantFrom('us-east-1', 'eu-central-1', 'us-gov-west-1'),
});

test('what is written is read as the same state', () => {
  fc.assert(
    fc.property(asked, (state) => {
      expect(read(linkOf(state))).toEqual({ state, problems: [] });
    }),
  );
});

test('what is usual is not written', () => {
  expect(linkOf(usualState(fields))).toBe('#plan');
  expect(linkOf({ ...usualState(fields), iops: 40_000 })).toBe('#plan?v=1&plan.iops=40000');
});

const names = ['v', 'plan.iops', 'plan.share', 'plan.types', 'plan.region', 'plan.x', '__proto__'];
const anyHash = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }).map((text) => `#${text}`),
  fc
    .tuple(
      fc.constantFrom(...tabNames, 'nope', ''),
      fc.array(fc.tuple(fc.constantFrom(...names), fc.string({ unit: 'binary' }))),
    )
    .map(([tab, pairs]) => `#${tab}?${pairs.map(([key, value]) => `${key}=${value}`).join('&')}`),
);

test('any text leads to a state within its ranges', () => {
  fc.assert(
    fc.property(anyHash, (hash) => {
      const { state } = read(hash) ?? { state: usualState(fields) };
      expect(state.iops).toBeGreaterThanOrEqual(1);
      expect(state.iops).toBeLessThanOrEqual(1_000_000);
      expect(Number.isInteger(state.iops)).toBe(true);
      expect(['linear', 'stripe']).toContain(state.kind);
      expect(state.types.length).toBeGreaterThan(0);
    }),
  );
});

test.each([
  ['NaN'],
  ['-1'],
  ['0'],
  ['1e9'],
  ['1000001'],
  ['2.5'],
  ['%E0%A4'],
  ['%'],
  [''],
  ['8'.repeat(400)],
  ['<img src=x onerror=alert(1)>'],
])('iops of %j is one line, and the usual value is used', (text) => {
  const found = read(`#plan?v=1&plan.iops=${text}`);
  expect(found?.state.iops).toBe(8_000);
  expect(found?.problems).toHaveLength(1);
  expect(found?.problems[0]).toMatch(/^The link says ".{0,60}" for plan\.iops, which takes a whole number/);
});

test('what is not asked is one line of all of it', () => {
  const { problems } = read('#plan?v=1&plan.a=1&plan.b=1&plan.c=1&plan.d=1&plan.e=1&plan.f=1') ?? {};
  expect(problems).toEqual([
    'The link says something of "plan.a", "plan.b", "plan.c", "plan.d", "plan.e", 1 more, which this page does not ask.',
  ]);
});

test('what is said more than once is one line of all of it, and the first counts', () => {
  const found = read('#plan?v=1&plan.iops=500&plan.iops=600&plan.usd=1&plan.usd=1&plan.share=0.25');
  expect(found?.state.iops).toBe(500);
  expect(found?.problems).toEqual(['The link says plan.iops, plan.usd more than once: the first counts.']);
});

test.each([
  ['another version', '#burst?v=2&plan.iops=5', /^The link is of version "2" of the planner/, 'burst'],
  ['an unknown tab', '#nope?v=1', /^The link asks for "nope", which this page does not have/, 'plan'],
  ['a megabyte', `#plan?v=1&plan.iops=${'9'.repeat(1e6)}`, /^The link is too long/, 'plan'],
])('%s is one line', (_, hash, line, tab) => {
  const address = addressOf(hash);
  expect(address?.problems).toEqual([expect.stringMatching(line)]);
  expect(address?.tab).toBe(tab);
  expect(address?.params.size).toBe(0);
});

test('an anchor of a report is no address', () => {
  expect(addressOf('#finding-1?severity=critical')).toBeNull();
  expect(addressOf('#content')).toBeNull();
});
