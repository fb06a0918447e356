/** Patterns that take plain values and nothing else, and what is said of others. */
import { assert, constantFrom, nat, property, stringMatching } from 'fast-check';
import { safePattern } from '../../lib/shared/safe-pattern.ts';

const safe: [pattern: string, takes: string][] = [
  ['^[a-z][a-z0-9]{0,14}$', 'data1'],
  ['^(single|linear|raid10-far2)$', 'raid10-far2'],
  ['^vol-[0-9a-f]{8,17}(?:,vol-[0-9a-f]{8,17}){0,27}$', 'vol-0123456789abcdef0,vol-12345678'],
  ['^[a-z]+=(/[a-z0-9][a-z0-9_-]*){1,6}:[1-9][0-9]?$', 'data=/srv/my-data:100'.slice(0, -1)],
  ['^([0-9]+(\\.[0-9]+)?%?|none)$', '12.5%'],
  ['^[A-Z:_.]*?$', ''],
];
const dangerous = [
  "'",
  '"',
  '$',
  '`',
  '\\',
  ';',
  '&',
  '|',
  '<',
  '>',
  '\n',
  ' ',
  '{{',
  '}}',
  '(',
  '*',
  '\r',
  '\0',
  'ä',
  '\u2028',
];

test.each(safe)('%s takes %j', (pattern, value) => {
  expect(safePattern(pattern).test(value)).toBe(true);
});

test.each(safe)('%s takes nothing dangerous, wherever it stands in what it takes, or alone', (pattern) => {
  const whole = safePattern(pattern);
  // As JavaScript, Go and Java search with it too.
  const searched = new RegExp(pattern, 'u');
  assert(
    property(stringMatching(searched), nat(), constantFrom(...dangerous), (value, at, bad) => {
      const place = at % (value.length + 1);
      const spoiled = `${value.slice(0, place)}${bad}${value.slice(place)}`;
      return whole.test(value) && ![spoiled, bad].some((text) => whole.test(text) || searched.test(text));
    }),
  );
});

test.each<[pattern: string, reason: string]>([
  ['[a-z]+', 'it must begin with "^" and end with "$"'],
  ['^[a-z]+', 'it must begin with "^" and end with "$"'],
  ['^[a-z]+\\$', 'Invalid regular expression'],
  ['^a|b$', '"^" and "$" hold for one alternative each; put them all into a group'],
  ['^a$|^b$', '"$" stands in the middle'],
  ['^(a|^b)$', '"^" stands in the middle'],
  ['^.*$', '"." lets "\\u0000" through'],
  ['^[^"]*$', '"[^"]" lets "\\u0000" through'],
  ['^[a-z ]+$', '"[a-z ]" lets " " through'],
  ['^[ -~]+$', '"[ -~]" lets " " through'],
  // The range from comma to z has ; < > \ ` in it.
  ['^[,-z]+$', '"[,-z]" lets ";" through'],
  ['^[A-z]+$', '"[A-z]" lets "[" through'],
  ["^it's$", `"'" lets "'" through`],
  ['^a\\$b$', '"\\$" lets "$" through'],
  ['^[a-z\\]]$', '"[a-z\\]]" lets "]" through'],
  // Java reads the two as "a to z, but of these only b".
  ['^[a-z&&[b]]$', 'Invalid regular expression'],
  ['^\\w+$', 'an escape with a letter or a digit'],
  ['^[\\s\\S]$', 'an escape with a letter or a digit'],
  ['^(a)\\1$', 'an escape with a letter or a digit'],
  ['^ä+$', 'not ASCII'],
  ['^(?!a)[a-z]+$', 'it looks around or sets a flag'],
  ['^(?i:a)$', 'it looks around or sets a flag'],
  ['^(a$', 'Invalid regular expression'],
  ['^[a-z$', 'Invalid regular expression'],
])('%s is refused: %s', (pattern, reason) => {
  expect(() => safePattern(pattern)).toThrow(reason);
  expect(() => safePattern(pattern)).toThrow(`allowedPattern ${pattern}: `);
});
