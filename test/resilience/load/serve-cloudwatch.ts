/** The local CloudWatch with the large fleet: node serve-cloudwatch.ts --port 4570 --account 111122223333 --start EPOCH */
import { parseArgs } from 'node:util';
import { startCloudWatch } from '../../../local/cloudwatch/server.ts';
import { fleetSize, largeFleet, shareOf } from './fleet.ts';
import { LargeFleetSeries, MadeLoads } from './series.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    account: { type: 'string', default: '111122223333' },
    accounts: { type: 'string', default: '111122223333' },
    regions: { type: 'string', default: 'us-east-1' },
    size: { type: 'string', default: `${fleetSize}` },
    'of-hundred': { type: 'string', default: '100' },
    start: { type: 'string', default: '0' },
  },
});
const spread = {
  accounts: values.accounts.split(','),
  regions: values.regions.split(','),
  size: Number(values.size),
  ofHundred: Number(values['of-hundred']),
};
const fleet = largeFleet(spread.size);
const loads = new MadeLoads(Number(values.start));
const server = await startCloudWatch({
  port: Number(values.port),
  account: values.account,
  // The quota of points alone would make it half an hour; it is on what AWS answers, not on what is measured here.
  quotas: 'none',
  store: (account) => new LargeFleetSeries(shareOf(fleet, spread, account), loads),
});
process.stdout.write(`CloudWatch of the large fleet at ${server.url}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
