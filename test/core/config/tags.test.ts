/** Which tags exclude a volume, and which of a resource are kept at all. */
import { defaultConfig } from '../../../core/config/check.ts';
import { configSchema } from '../../../core/config/config.ts';
import { hasAnyTag, keptTagKeys } from '../../../core/config/tags.ts';

test.each([
  ['its value', { environment: 'test' }, true],
  ['one of its values', { environment: 'sandbox', team: 'a' }, true],
  ['another value', { environment: 'production' }, false],
  ['another case', { environment: 'Test' }, false],
  ['any value of a key', { ignore: 'whatever' }, true],
  ['any value of a key, also none', { ignore: '' }, true],
  ['a tag without a value', { scratch: '' }, true],
  ['a value where none is demanded', { scratch: 'yes' }, false],
  ['a name that every object has', { toString: 'test' }, false],
  ['no tags', {}, false],
])('%s: %j', (_, tags, expected) => {
  const demand = { environment: ['test', 'sandbox'], ignore: '*', scratch: '', constructor: '*' };
  expect(hasAnyTag(tags as Record<string, string>, demand)).toBe(expected);
});

test('without exclusions nothing is excluded', () => {
  expect(hasAnyTag({ environment: 'test' }, {})).toBe(false);
});

test('kept are the keys of exclusions and routes, each once, and no others', () => {
  const config = configSchema.parse({
    exclude: { tags: { environment: 'test', team: 'none' } },
    routes: [
      { to: ['slack'], tags: { team: 'payments', tier: '1' } },
      { to: ['slack'], regions: ['us-east-1'] },
    ],
  });
  expect(keptTagKeys(config)).toEqual(['environment', 'team', 'tier']);
  expect(keptTagKeys(defaultConfig())).toEqual([]);
});
