/** node local/pricing/serve.ts --port 4572 */
import { parseArgs } from 'node:util';
import { startPricing } from './server.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const server = await startPricing({ port: Number(values.port) });
process.stdout.write(`Price List at ${server.url}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
