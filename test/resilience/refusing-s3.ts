/** An S3 that refuses to delete, once, in front of the local one; and the function that is to meet it. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  ListFunctionsCommand,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { clientSettings } from '../../local/deploy.ts';
import type { Services } from '../../local/services.ts';

export interface RefusingS3 {
  url: string;
  /** How often it refused. */
  refused(): number;
  stop(): Promise<void>;
}

const refusal = '<Error><Code>AccessDenied</Code><Message>refused by a test</Message></Error>';

export async function refuseOneDeletion(awsUrl: string): Promise<RefusingS3> {
  let refused = 0;
  const server = createServer((incoming, outgoing) => {
    const isDeletion = incoming.method === 'POST' && /[?&]delete/.test(incoming.url ?? '');
    if (isDeletion && refused === 0) {
      refused += 1;
      incoming.resume();
      outgoing.writeHead(403, { 'content-type': 'application/xml' }).end(refusal);
      return;
    }
    const { method, headers } = incoming;
    const forwarded = request(`${awsUrl}${incoming.url}`, { method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused: () => refused,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The function that empties the bucket; none where the bucket stays. */
export async function emptier(services: Services): Promise<string | undefined> {
  const lambda = new LambdaClient(clientSettings(services));
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand({}));
  lambda.destroy();
  return Functions.find(({ FunctionName }) => FunctionName?.includes('EmptyBucket'))?.FunctionName;
}

/** Gives the function that empties another S3 to speak to. */
export async function letEmptierReach(services: Services, s3Url: string): Promise<void> {
  const lambda = new LambdaClient(clientSettings(services));
  const FunctionName = await emptier(services);
  const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
  const Variables = { ...Environment?.Variables, AWS_ENDPOINT_URL_S3: s3Url };
  await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
  lambda.destroy();
}
