/** A secret of the stack: read when it is first needed, kept for a while, in no error. */
import { SecretsProvider } from '@aws-lambda-powertools/parameters/secrets';
import { unreadable } from './failure.ts';
import { ownResources } from './session.ts';

/** Made when it is first needed: it asks for the Region of the environment. */
let provider: SecretsProvider | undefined;

interface HowFresh {
  /** What was read is used for so long. */
  maxAgeSeconds: number;
  /** True: what it is now, and not what it was when it was last read. */
  forceFetch?: boolean;
}

/** @throws Unreadable where it cannot be read. */
export async function secretText(
  secretArn: string,
  { maxAgeSeconds, forceFetch = false }: HowFresh,
): Promise<string> {
  try {
    provider ??= new SecretsProvider({ clientConfig: ownResources });
    return String((await provider.get(secretArn, { maxAge: maxAgeSeconds, forceFetch })) ?? '');
  } catch (error) {
    throw unreadable('secretsmanager:GetSecretValue', (error as Error).cause ?? error);
  }
}
