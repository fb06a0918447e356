/** node local/cloudwatch/serve.ts --port 4570 --account 111122223333 [--quotas none] */
import { parseArgs } from 'node:util';
import { startCloudWatch } from './server.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    account: { type: 'string', default: '111122223333' },
    quotas: { type: 'string', default: 'aws' },
  },
});
if (values.quotas !== 'aws' && values.quotas !== 'none') {
  throw new Error(`--quotas is "${values.quotas}"; expected aws or none`);
}
const server = await startCloudWatch({
  port: Number(values.port),
  account: values.account,
  quotas: values.quotas,
});
process.stdout.write(`CloudWatch of account ${server.account} at ${server.url}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
