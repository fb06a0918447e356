import { type Orphan, sweepOf } from '../../../core/benchmark/campaign/clean-up.ts';
import { epochSecondsOf } from '../../../core/units.ts';

const now = epochSecondsOf('2026-11-22T12:00:00Z');
const host: Orphan = {
  ...{ id: 'i-1', campaignId: 'c1', state: 'running', stateReason: null },
  ...{ expires: '2026-11-22T13:00:00Z', createdAt: '2026-11-22T11:00:00Z' },
};
const past = '2026-11-22T11:59:59Z';
const none = new Set<string>();
const nothing = { terminate: [], kept: [] };

test('what runs and has time left stays', () => {
  expect(sweepOf([host], none, now)).toEqual({ ...nothing, kept: ['i-1'] });
});

test('past its time it is ended', () => {
  expect(sweepOf([{ ...host, expires: past }], none, now)).toEqual({ ...nothing, terminate: ['i-1'] });
});

test('of a campaign that has ended nothing stays, however much time is left', () => {
  expect(sweepOf([host], new Set(['c1']), now)).toEqual({ ...nothing, terminate: ['i-1'] });
});

test.each(['terminated', 'shutting-down'])('one that is %s is gone', (state) => {
  expect(sweepOf([{ ...host, state, expires: past }], none, now)).toEqual(nothing);
});

test.each([null, '', 'tomorrow', '2099-01-01T00:00:00Z'])(
  'a tag that says %p counts as 48 hours from its making',
  (expires) => {
    const young = { ...host, expires, createdAt: '2026-11-20T12:00:01Z' };
    const old = { ...host, expires, createdAt: '2026-11-20T12:00:00Z' };
    expect(sweepOf([young], none, now).kept).toEqual(['i-1']);
    expect(sweepOf([old], none, now).terminate).toEqual(['i-1']);
  },
);
