/** A refresh that nobody asked for does not wait for an AWS that does not answer. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readCatalog } from '../../cli/catalog-refresh.ts';
import { Unavailable } from '../../core/errors.ts';
import { liveAccount } from './live-account.ts';
import { collectingIo } from './run-cli.ts';

const account = liveAccount();
let silent: Server;
let requests = 0;
beforeAll(async () => {
  silent = createServer(() => requests++);
  await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready));
});
afterAll(() => new Promise((closed) => silent.close(closed)));

test('it ends in time, and asks no more', async () => {
  account.ec2.restore();
  const { port } = silent.address() as AddressInfo;
  account.environment({ AWS_ENDPOINT_URL_EC2: `http://127.0.0.1:${port}` });
  const reading = readCatalog({ region: 'eu-central-1' }, null, collectingIo([], []), {
    seconds: 0.3,
    maxAttempts: 5,
  });
  const error: Error = await reading.then(
    () => new Error('it was read'),
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(Unavailable);
  expect(error.message).toBe('reading instance types and prices of eu-central-1 took longer than 0.3 s');
  await new Promise((later) => setTimeout(later, 500));
  // The first may have been on its way; no attempt comes after the end.
  expect(requests).toBe(1);
});
