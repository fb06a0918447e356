import { type Leftover, sweepOf } from '../../../core/benchmark/campaign/sweep.ts';
import { epochSecondsOf } from '../../../core/units.ts';

const now = epochSecondsOf('2026-11-22T12:00:00Z');
const host: Leftover = {
  ...{ id: 'i-1', kind: 'instance', campaignId: 'c1', state: 'running' },
  ...{ expires: '2026-11-22T13:00:00Z', createdAt: '2026-11-22T11:00:00Z' },
};
const volume: Leftover = { ...host, id: 'vol-1', kind: 'volume', state: 'available' };
const past = '2026-11-22T11:59:59Z';
const none = new Set<string>();
const nothing = { terminate: [], deleteVolumes: [], waiting: [], kept: [] };

test('what runs and has time left stays', () => {
  expect(sweepOf([host, volume], none, now)).toEqual({ ...nothing, kept: ['i-1', 'vol-1'] });
});

test('past its time an instance is ended and a volume deleted', () => {
  const leftovers = [host, volume].map((one) => ({ ...one, expires: past }));
  expect(sweepOf(leftovers, none, now)).toEqual({ ...nothing, terminate: ['i-1'], deleteVolumes: ['vol-1'] });
});

test('of a campaign that has ended nothing stays, however much time is left', () => {
  expect(sweepOf([host, volume], new Set(['c1']), now)).toEqual({
    ...nothing,
    terminate: ['i-1'],
    deleteVolumes: ['vol-1'],
  });
});

test.each(['in-use', 'creating'])('a volume that is %s waits: with its instance it goes', (state) => {
  expect(sweepOf([{ ...volume, state, expires: past }], none, now)).toEqual({
    ...nothing,
    waiting: ['vol-1'],
  });
});

test.each([
  ['instance', 'terminated'],
  ['instance', 'shutting-down'],
  ['volume', 'deleting'],
] as const)('an %s that is %s is gone', (kind, state) => {
  expect(sweepOf([{ ...host, kind, state, expires: past }], none, now)).toEqual(nothing);
});

test.each([null, '', 'tomorrow'])('a tag that says %p counts as 48 hours from its making', (expires) => {
  const young = { ...host, expires, createdAt: '2026-11-20T12:00:01Z' };
  const old = { ...host, expires, createdAt: '2026-11-20T12:00:00Z' };
  expect(sweepOf([young], none, now).kept).toEqual(['i-1']);
  expect(sweepOf([old], none, now).terminate).toEqual(['i-1']);
});
