/** Whether a part of .ci/run must run again: by its record, the time, and what it depends on now. */
import { known, unknown } from '../../core/known.ts';
import type { PartState } from '../../tools/checked-parts.ts';
import {
  type CheckRecord,
  type Decision,
  decide,
  decisionLine,
  parseRecord,
  recordedPartOf,
} from '../../tools/unchanged-part.ts';

const state: PartState = {
  hash: '0123456789ab'.padEnd(64, 'c'),
  inputs: { 'local/lab': 'aaaa', 'ssm-documents': 'bbbb' },
  versions: { node: '24.21.0', fio: '3.33-3' },
};
const record: CheckRecord = {
  lab: { date: '2026-11-01T12:00:00.000Z', figures: { seconds: 900, testsPassed: 60 }, ...state },
};
const decided = ({
  at = '2026-11-20T12:00:00Z',
  ...changed
}: Partial<PartState> & { at?: string } = {}): Decision =>
  decide({ record: known(record), part: 'lab', now: new Date(at), state: known({ ...state, ...changed }) });
const run = (reason: string): Decision => ({ unchanged: false, reason });

test('nothing has changed: not run again, and the line says since when, and what', () => {
  expect(decided()).toEqual({ unchanged: true, since: '2026-11-01', hash: state.hash });
  expect(decisionLine('lab', decided())).toBe('unchanged since 2026-11-01, 0123456789ab: not run again');
});

test('an input that differs, is new or is no more: run, and the line names it', () => {
  const of = (inputs: Record<string, string>) => decided({ inputs, hash: 'f'.repeat(64) });
  expect(of({ ...state.inputs, 'local/lab': 'aaab' })).toEqual(run('changed since 2026-11-01: local/lab'));
  expect(of({ ...state.inputs, 'test/lab': 'cccc' })).toEqual(run('changed since 2026-11-01: test/lab'));
  expect(of({})).toEqual(run('changed since 2026-11-01: local/lab, ssm-documents'));
  expect(decisionLine('lab', of({ 'ssm-documents': 'bbbb' }))).toBe(
    'lab is run: changed since 2026-11-01: local/lab',
  );
});

test('the hash of all decides, also where no single one differs', () => {
  expect(decided({ hash: 'f'.repeat(64) })).toEqual(
    run('what it depends on has another hash since 2026-11-01'),
  );
});

test('another version of Node, of fio, or one that was not recorded: run', () => {
  expect(decided({ versions: { node: '24.22.0', fio: '3.33-3' } })).toEqual(
    run('node is 24.22.0 and was 24.21.0'),
  );
  expect(decided({ versions: { node: '24.21.0', fio: '3.36-1' } })).toEqual(
    run('fio is 3.36-1 and was 3.33-3'),
  );
  expect(decided({ versions: { ...state.versions, qemu: '7.2' } })).toEqual(
    run('qemu is 7.2 and was not known'),
  );
  expect(decided({ versions: { node: '24.21.0' } })).toEqual(run('fio is not known and was 3.33-3'));
});

test('what cannot be compared is run: versions are not known', () => {
  const asked = { record: known(record), part: 'lab' as const, now: new Date('2026-11-02T00:00:00Z') };
  expect(decide({ ...asked, state: unknown('apt-cache show: no index') })).toEqual(
    run('it cannot be compared: apt-cache show: no index'),
  );
});

test('a record is of use for 30 days: to 1 December 12:00, and not from then on', () => {
  // 1 November 12:00 + 30 days
  expect(decided({ at: '2026-12-01T11:59:59Z' }).unchanged).toBe(true);
  expect(decided({ at: '2026-12-01T12:00:00Z' })).toEqual(
    run('it was recorded on 2026-11-01, 30 days ago or more'),
  );
});

test('a record from the future is not believed; clocks may differ by an hour', () => {
  expect(decided({ at: '2026-11-01T11:00:00Z' }).unchanged).toBe(true);
  expect(decided({ at: '2026-11-01T10:59:59Z' })).toEqual(
    run('it was recorded on 2026-11-01, which is yet to come'),
  );
});

test('a part that the record does not have is run', () => {
  expect(
    decide({
      record: known(record),
      part: 'bench',
      now: new Date('2026-11-02T00:00:00Z'),
      state: known(state),
    }),
  ).toEqual(run('the record has no bench'));
});

test.each([
  [undefined, 'there is no record'],
  ['{ "lab": ', 'the record is not JSON'],
  ['[]', /^the record cannot be read: /],
  [JSON.stringify({ lab: { ...record['lab'], hash: 'abc' } }), /^the record cannot be read: lab\.hash: /],
  [
    JSON.stringify({ lab: { ...record['lab'], date: 'yesterday' } }),
    /^the record cannot be read: lab\.date: /,
  ],
  [JSON.stringify({ lab: { ...record['lab'], other: 1 } }), /^the record cannot be read: lab: .*other/],
])('a record that is not readable (%j) means that the part is run, and says why', (text, reason) => {
  const read = parseRecord(text);
  expect(decide({ record: read, part: 'lab', now: new Date(), state: known(state) })).toEqual(
    run(expect.stringMatching(reason)),
  );
});

test('what is recorded is read again as it was, and decides that nothing has changed', () => {
  const now = new Date('2026-11-23T10:00:00Z');
  const figures = { seconds: 900, testsPassed: 60 };
  const passed = recordedPartOf({ begun: state.inputs, figures, state: known(state) }, now);
  if (!passed.known) throw new Error(passed.reason);
  expect(passed.value).toEqual({ date: '2026-11-23T10:00:00.000Z', figures, ...state });
  const again = parseRecord(JSON.stringify({ lab: passed.value }));
  expect(again).toEqual(known({ lab: passed.value }));
  expect(decide({ record: again, part: 'lab', now, state: known(state) }).unchanged).toBe(true);
});

test('nothing is recorded of a part whose inputs changed while it ran, or whose versions are not known', () => {
  const begun = { ...state.inputs, 'local/lab': 'before' };
  const now = new Date('2026-11-23T10:00:00Z');
  const figures = { seconds: 1 };
  expect(recordedPartOf({ begun, figures, state: known(state) }, now)).toEqual(
    unknown('changed since it began: local/lab'),
  );
  expect(recordedPartOf({ begun: state.inputs, figures, state: unknown('no QEMU') }, now)).toEqual(
    unknown('its versions are not known: no QEMU'),
  );
});
