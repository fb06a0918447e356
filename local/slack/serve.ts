/** node local/slack/serve.ts --port 4571 */
import { parseArgs } from 'node:util';
import { startSlack } from './server.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
const server = await startSlack({ port: Number(values.port) });
process.stdout.write(`Slack webhook at ${server.webhookUrl}, Web API at ${server.apiUrl}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
