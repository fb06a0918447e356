/** node local/teams/serve.ts --port 4572 */
import { parseArgs } from 'node:util';
import { startTeams } from './server.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const server = await startTeams({ port: Number(values.port) });
process.stdout.write(`Teams webhook at ${server.webhookUrl}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
