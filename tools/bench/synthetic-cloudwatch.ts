/** The stand-in for CloudWatch with the synthetic account, in a process of its own; prints its address. */
import { startCloudWatch } from '../../local/cloudwatch/server.ts';
import { endEpochSeconds, syntheticStore } from './synthetic-account.ts';

const server = await startCloudWatch({
  port: 0,
  account: '111122223333',
  quotas: 'none',
  store: syntheticStore,
});
await fetch(`${server.url}/_stripewise/clock`, {
  method: 'PUT',
  body: JSON.stringify({ now: new Date(endEpochSeconds * 1000).toISOString() }),
});
console.log(server.url);
