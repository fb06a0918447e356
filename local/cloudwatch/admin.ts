/**
 * Routes that fill and steer the server: series, counts, faults, the clock. They are no part of CloudWatch. With `?account=` they are
 * of another account than the default one; faults and the clock are of all.
 */
import { z } from 'zod';
import { epochSecondsOf, secondsPerMinute } from '../../core/units.ts';
import { BadRequest, jsonReply, parseJson, type Reply } from '../http.ts';
import { faultInput } from './faults.ts';
import { MemorySeriesStore, type SeriesInput } from './series-store.ts';
import type { Accounts, CloudWatchState } from './state.ts';

/** Only that it is an array: its numbers, millions of them, are checked in one loop each. */
const numbers = z.custom<readonly number[]>(Array.isArray, { error: 'expected an array of numbers' });
const seriesBody = z.strictObject({
  series: z.array(
    z.strictObject({
      namespace: z.string().min(1),
      metric: z.string().min(1),
      dimensions: z.record(z.string().min(1), z.string().min(1)),
      epochSeconds: numbers,
      values: numbers,
    }),
  ),
});
const clockBody = z.strictObject({ now: z.string() });

function parse<T>(schema: z.ZodType<T>, text: string): T {
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw new BadRequest(z.prettifyError(parsed.error));
  return parsed.data;
}

function checkNumbers(input: z.infer<typeof seriesBody>['series'][number]): void {
  const { metric, dimensions, epochSeconds, values } = input;
  const which = `${metric} of ${Object.values(dimensions).join(', ')}`;
  if (epochSeconds.length !== values.length) {
    throw new BadRequest(`${which} has ${epochSeconds.length} times and ${values.length} values`);
  }
  for (let i = 0; i < values.length; i++) {
    const seconds = epochSeconds[i] as number;
    if (!Number.isInteger(seconds) || seconds % secondsPerMinute !== 0) {
      throw new BadRequest(`${which}: epochSeconds[${i}] is ${seconds}; expected a whole minute`);
    }
    if (!Number.isFinite(values[i])) {
      throw new BadRequest(`${which}: values[${i}] is ${values[i]}; expected a number`);
    }
  }
}

function putSeries(store: MemorySeriesStore, how: 'put' | 'add', region: string, text: string): Reply {
  const { series } = parse(seriesBody, text);
  for (const input of series) checkNumbers(input);
  let points = 0;
  for (const { dimensions, ...input } of series) {
    points += input.values.length;
    store[how](region, {
      ...input,
      dimensions: Object.entries(dimensions).map(([name, value]) => ({ name, value })),
    } satisfies SeriesInput);
  }
  return jsonReply({ series: series.length, points });
}

function regionIn(query: URLSearchParams): string {
  const region = query.get('region');
  if (region === null || region === '') throw new BadRequest('the Region is missing; add ?region=us-east-1');
  return region;
}

function memoryStore({ store }: CloudWatchState): MemorySeriesStore {
  if (store instanceof MemorySeriesStore) return store;
  throw new BadRequest('this server has a store of its own, which takes no series');
}

function setClock(state: CloudWatchState, text: string): Reply {
  const { now } = parse(clockBody, text);
  const epochSeconds = epochSecondsOf(now);
  if (Number.isNaN(epochSeconds)) {
    throw new BadRequest(`now is "${now}"; expected ISO 8601, like 2026-11-20T00:00:00Z`);
  }
  state.clock.fix(epochSeconds);
  return jsonReply({ now });
}

type Route = (state: CloudWatchState, query: URLSearchParams, text: string, accounts: Accounts) => Reply;

const done = (): Reply => jsonReply({});

const routes: Readonly<Record<string, Route>> = {
  'POST /_stripewise/series': (state, query, text) =>
    putSeries(memoryStore(state), 'put', regionIn(query), text),
  // Points beside those that are there.
  'PATCH /_stripewise/series': (state, query, text) =>
    putSeries(memoryStore(state), 'add', regionIn(query), text),
  'DELETE /_stripewise/series': (state, query) => {
    memoryStore(state).clear(regionIn(query));
    return done();
  },
  'GET /_stripewise/counts': ({ counts }) => jsonReply(counts.all()),
  'GET /_stripewise/counts/accounts': (_state, _query, _text, accounts) =>
    jsonReply(Object.fromEntries(accounts.all().map(({ account, counts }) => [account, counts.all()]))),
  'POST /_stripewise/counts/reset': (_state, _query, _text, accounts) => {
    for (const { counts } of accounts.all()) counts.reset();
    return done();
  },
  'POST /_stripewise/faults': ({ faults }, _query, text) => {
    faults.add(parse(faultInput, text));
    return done();
  },
  'DELETE /_stripewise/faults': ({ faults }) => {
    faults.clear();
    return done();
  },
  'PUT /_stripewise/clock': (state, _query, text) => setClock(state, text),
  'GET /_stripewise/dashboards': ({ dashboards }) => jsonReply({ dashboards: dashboards.all() }),
};

export function handleAdmin(accounts: Accounts, method: string, url: URL, text: string): Reply {
  const route = routes[`${method} ${url.pathname}`];
  if (route === undefined) {
    throw new BadRequest(
      `no route ${method} ${url.pathname}; there are: ${Object.keys(routes).join(', ')}`,
      404,
    );
  }
  return route(accounts.of(url.searchParams.get('account')), url.searchParams, text, accounts);
}
