/**
 * What a function of the local AWS runs under, besides its code: required by each worker before it (NODE_OPTIONS).
 * It makes waits short, so that an hour of retries passes in seconds, and lets the clock say that they passed; moves
 * the clock; says which function makes a call; and ends the process where the gateway says so, as a crash would.
 */
'use strict';
const { subscribe } = require('node:diagnostics_channel');

const {
  AWS_LAMBDA_FUNCTION_NAME: name,
  STRIPEWISE_WAIT_SCALE: scale = '1',
  STRIPEWISE_CLOCK: clock,
} = process.env;

const RealDate = Date;
const { setTimeout: usual } = globalThis;
const waitScale = Number(scale);
/** What is shorter is no wait of ours. */
const shortestMs = 20;

/** How far the function's clock is ahead: where it was set, and what was not waited for. */
let aheadMs = clock ? RealDate.parse(clock) - RealDate.now() : 0;
const now = () => RealDate.now() + aheadMs;

globalThis.Date = class Date extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }
  static now() {
    return now();
  }
};

globalThis.setTimeout = (callback, ms, ...rest) => {
  if (!(ms > shortestMs)) return usual(callback, ms, ...rest);
  const dueMs = now() + ms;
  return usual(
    () => {
      aheadMs = Math.max(aheadMs, dueMs - RealDate.now());
      callback(...rest);
    },
    Math.max(shortestMs, ms * waitScale),
  );
};

if (name) {
  subscribe('http.client.request.created', ({ request }) => {
    request.setHeader('x-stripewise-function', name);
  });
  subscribe('http.client.response.finish', ({ response }) => {
    if (response.headers['x-stripewise-crash']) process.kill(process.pid, 'SIGKILL');
  });
}
