/** The stand-in for CloudWatch with the synthetic account, in a process of its own; prints its address. Argument: aws, for AWS's quotas. */
import { startCloudWatch } from '../../local/cloudwatch/server.ts';
import { endEpochSeconds, syntheticStore } from './synthetic-account.ts';

const server = await startCloudWatch({
  port: 0,
  account: '111122223333',
  quotas: process.argv[2] === 'aws' ? 'aws' : 'none',
  store: syntheticStore,
});
await fetch(`${server.url}/_stripewise/clock`, {
  method: 'PUT',
  body: JSON.stringify({ now: new Date(endEpochSeconds * 1000).toISOString() }),
});
console.log(server.url);
