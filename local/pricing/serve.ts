/** node local/pricing/serve.ts --port 4572 [--calls-per-second 5] */
import { parseArgs } from 'node:util';
import { documentedQuota, startPricing } from './server.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'calls-per-second': { type: 'string', default: `${documentedQuota.perSecond}` },
  },
});
const perSecond = Number(values['calls-per-second']);
const server = await startPricing({ port: Number(values.port), quota: { ...documentedQuota, perSecond } });
process.stdout.write(`Price List at ${server.url}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
