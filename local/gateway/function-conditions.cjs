/**
 * What a function of the local AWS runs under, besides its code: required by each worker before it (NODE_OPTIONS).
 * It makes waits short, so that hours of retries pass in seconds; moves the clock; says which function makes a call; and
 * ends the process where the gateway says so, as a crash of the runtime would.
 */
'use strict';
const { subscribe } = require('node:diagnostics_channel');

const {
  AWS_LAMBDA_FUNCTION_NAME: name,
  STRIPEWISE_WAIT_SCALE: scale = '1',
  STRIPEWISE_CLOCK_MS,
} = process.env;

/** What is shorter is no wait of ours. */
const shortestMs = 20;
const waitScale = Number(scale);
const { setTimeout: usual } = globalThis;
globalThis.setTimeout = (callback, ms, ...rest) =>
  usual(callback, ms > shortestMs ? Math.max(shortestMs, ms * waitScale) : ms, ...rest);

if (STRIPEWISE_CLOCK_MS) {
  const RealDate = Date;
  const ahead = Number(STRIPEWISE_CLOCK_MS) - RealDate.now();
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(RealDate.now() + ahead);
      else super(...args);
    }
    static now() {
      return RealDate.now() + ahead;
    }
  };
}

if (name) {
  subscribe('http.client.request.created', ({ request }) => {
    if (!request.headersSent) request.setHeader('x-stripewise-function', name);
  });
  subscribe('http.client.response.finish', ({ response }) => {
    if (response.headers['x-stripewise-crash']) process.kill(process.pid, 'SIGKILL');
  });
}
