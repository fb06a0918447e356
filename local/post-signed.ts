/** Posts JSON to the address of a function, signed as the SDK signs what it asks of Lambda. */
import type { LambdaClient } from '@aws-sdk/client-lambda';

export interface Posted {
  status: number;
  text: string;
}

/** @param client whose credentials and Region sign. */
export async function postSigned(client: LambdaClient, address: string, body: object): Promise<Posted> {
  const { protocol, hostname, port, pathname: path } = new URL(address);
  const host = port === '' ? hostname : `${hostname}:${port}`;
  const signer = await client.config.signer({ schemeId: 'aws.auth#sigv4', signingName: 'lambda' } as never);
  const text = JSON.stringify(body);
  const { headers } = await signer.sign({
    ...{ method: 'POST', protocol, hostname, path, body: text },
    headers: { host, 'content-type': 'application/json' },
    ...(port === '' ? {} : { port: Number(port) }),
  } as never);
  const reply = await fetch(address, { method: 'POST', headers, body: text });
  return { status: reply.status, text: await reply.text() };
}
