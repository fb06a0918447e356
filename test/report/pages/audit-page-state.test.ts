/** The address of the audit's page: what of it is shown can be sent to somebody. */
import {
  addressOf,
  findingOfAnchor,
  hashOf,
  noFindingFilter,
  type PageState,
  usualState,
} from '../../../report/browser/audit/page-state.ts';

const asked: PageState = {
  findings: { ...noFindingFilter, text: 'db & <b>', severity: 'critical', tag: 'team=a&b', about: 'trouble' },
  findingOrder: { columnId: 'usd', descending: false },
  volumes: { text: 'vol-1', status: 'unknown', type: 'gp3', region: 'us-east-1', account: '111122223333' },
  volumeOrder: { columnId: 'share', descending: true },
  opinions: {
    ...{ text: 'db', label: 'unsafe', source: 'compute-optimizer', region: 'us-east-1' },
    account: '111122223333',
  },
  opinionOrder: { columnId: 'usd', descending: true },
};

test('nothing stands in the address while all is as usual', () => {
  expect(hashOf('', usualState)).toBe('');
  expect(hashOf('finding-0a1b', usualState)).toBe('finding-0a1b');
});

test('what is asked for comes back from the address', () => {
  expect(addressOf(`#${hashOf('finding-0a1b', asked)}`)).toEqual({ anchor: 'finding-0a1b', state: asked });
});

test('an address without a filter changes none', () => {
  expect(addressOf('#finding-0a1b')).toEqual({ anchor: 'finding-0a1b', state: null });
  expect(addressOf('')).toEqual({ anchor: '', state: null });
});

test.each([
  ['#%', '%'],
  ['#%E0%A4%A', '%E0%A4%A'],
  ['#?q', ''],
  ['#<script>?severity=%', '<script>'],
])('an address that is broken is read as far as it goes: %s', (hash, anchor) => {
  expect(addressOf(hash).anchor).toBe(anchor);
});

test('nobody makes the page search for a whole book', () => {
  const { state } = addressOf(`#?q=${'x'.repeat(100_000)}`);
  expect(state?.findings.text).toHaveLength(200);
});

test('an anchor is about a finding or about something else', () => {
  expect(findingOfAnchor('finding-0a1b')).toBe('0a1b');
  expect(findingOfAnchor('findings')).toBeNull();
});
