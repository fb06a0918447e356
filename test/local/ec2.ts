/** A local EC2 for a test file. */
import { join } from 'node:path';
import { EC2Client } from '@aws-sdk/client-ec2';
import { freePort, plainEnvironment, startProcess } from '../../local/processes.ts';
import { ensurePython } from '../../local/python.ts';

const root = join(__dirname, '..', '..');
export const account = '111122223333';

export interface LocalEc2 {
  url: string;
  client(region: string): EC2Client;
  stop(): Promise<void>;
}

/** @param directory for its log. */
export async function startEc2(directory: string): Promise<LocalEc2> {
  const python = await ensurePython({ root, say: (line) => process.stderr.write(`${line}\n`) });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await startProcess({
    command: python,
    args: [join(root, 'local', 'ec2', 'serve.py'), '--port', String(port), '--account', account],
    env: plainEnvironment(),
    readyUrl: `${url}/_stripewise/ready`,
    logFile: join(directory, 'ec2.log'),
  });
  const clients: EC2Client[] = [];
  return {
    url,
    client(region) {
      const credentials = { accessKeyId: account, secretAccessKey: 'test' };
      const client = new EC2Client({ region, endpoint: url, maxAttempts: 1, credentials });
      clients.push(client);
      return client;
    },
    async stop() {
      for (const client of clients) client.destroy();
      await server.stop();
    },
  };
}
