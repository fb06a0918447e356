/** What is an address to lead people to. */
import { addressOrNull } from '../../report/address.ts';
import { someLinks } from '../fixtures/findings.ts';

test.each([
  someLinks(null),
  someLinks('0123456789abcdef'),
  'http://127.0.0.1:4571/runs/run-1/1797724800/abc',
])('%s is one', (url) => {
  expect(addressOrNull(url)).toBe(url);
});

test.each([
  null,
  '',
  'javascript:alert(1)',
  'https://',
  'https://evil.example|label',
  'https://evil.example>',
  'https://evil.example/)',
  'https://ours.example@evil.example/',
  'https://a b',
  'https://a.example/\n<!channel>',
  'https://a.example/?a=1&b=2',
  `https://a.example/${'x'.repeat(500)}`,
])('%j is none', (url) => {
  expect(addressOrNull(url)).toBeNull();
});
