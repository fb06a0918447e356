/**
 * What a function of the local AWS runs under, besides its code: required by each worker before it (NODE_OPTIONS).
 * It makes waits short, so that an hour of retries passes in seconds, and lets the clock say that they passed; moves
 * the clock, or follows one that is set while it runs (STRIPEWISE_CLOCK_FILE, see local/clock.ts); says which function makes a call; and ends the process where the gateway says so, as a crash would.
 */
'use strict';
const { subscribe } = require('node:diagnostics_channel');
const { readFileSync } = require('node:fs');

const {
  AWS_LAMBDA_FUNCTION_NAME: name,
  STRIPEWISE_WAIT_SCALE: scale = '1',
  STRIPEWISE_CLOCK: clock,
  STRIPEWISE_CLOCK_FILE: clockFile,
} = process.env;

const RealDate = Date;
const { setTimeout: usual } = globalThis;
const waitScale = Number(scale);

/** How far the function's clock is ahead: where it was set, and what was not waited for. */
let aheadMs = clock ? RealDate.parse(clock) - RealDate.now() : 0;

/** How far a clock is ahead that is set meanwhile; read again after a while, as a clock is asked often. */
const lookMs = 50;
let fileAheadMs = 0;
let lookedMs = Number.NEGATIVE_INFINITY;
function aheadOfFile() {
  if (!clockFile) return 0;
  const realMs = performance.now();
  if (realMs - lookedMs < lookMs) return fileAheadMs;
  lookedMs = realMs;
  try {
    fileAheadMs = Number(readFileSync(clockFile, 'utf8'));
  } catch {
    // It was not set yet.
  }
  return fileAheadMs;
}
const now = () => RealDate.now() + aheadMs + aheadOfFile();

class MovedDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }
  static now() {
    return now();
  }
}
globalThis.Date = MovedDate;

/** A timer that settles a promise is a wait; others, such as a call's time-out, take their time on any machine. */
const isWait = (callback, ms) =>
  ms > 20 && /\[native code\]|resolve\(\)/.test(`${callback}`) && !/reject\(/.test(`${callback}`);
/** Time-outs of calls that are on their way: those that the gateway lets hang are over at once. */
const longestWaitMs = 25_000;
const timeouts = new Set();

globalThis.setTimeout = (callback, ms, ...rest) => {
  if (isWait(callback, ms)) {
    const dueMs = now() + ms;
    return usual(() => {
      aheadMs = Math.max(aheadMs, dueMs - aheadOfFile() - RealDate.now());
      callback(...rest);
    }, ms * waitScale);
  }
  const timer = usual(callback, ms, ...rest);
  if (ms > longestWaitMs) timeouts.add({ timer, callback });
  return timer;
};

function timeOut() {
  for (const { timer, callback } of timeouts) {
    const isPending = timer.hasRef() && !timer._destroyed;
    clearTimeout(timer);
    if (isPending) callback();
  }
  timeouts.clear();
}

if (name) {
  subscribe('http.client.request.created', ({ request }) => {
    request.setHeader('x-stripewise-function', name);
    request.on('information', ({ statusCode }) => {
      if (statusCode === 102) timeOut();
    });
  });
  subscribe('http.client.response.finish', ({ response }) => {
    if (response.headers['x-stripewise-crash']) process.kill(process.pid, 'SIGKILL');
  });
}
