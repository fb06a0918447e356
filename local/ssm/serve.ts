/** node local/ssm/serve.ts --ministack http://127.0.0.1:4566 --account 111122223333 [--port 4573] [--pace 0.2] */
import { parseArgs } from 'node:util';
import { deployedDocuments } from './documents.ts';
import { askMiniStack } from './elsewhere.ts';
import { eventsToMiniStack } from './events.ts';
import { startSsm, usualPace } from './server.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    account: { type: 'string', default: '111122223333' },
    ministack: { type: 'string' },
    /** Of the usual time that a host takes. */
    pace: { type: 'string', default: '1' },
  },
});
const { port, account, ministack } = values;
const pace = Number(values.pace);
if (ministack === undefined) throw new Error('give --ministack URL: it has the documents and the parameters');
const server = await startSsm({
  port: Number(port),
  account,
  pace: { pendingMs: pace * usualPace.pendingMs, runningMs: pace * usualPace.runningMs },
  findDocument: deployedDocuments(ministack, account),
  askElsewhere: askMiniStack(ministack),
  sendEvent: eventsToMiniStack(ministack, account),
});
process.stdout.write(`Systems Manager of account ${account} at ${server.url}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
