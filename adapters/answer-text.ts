/** What a server answered, for an error: as much of it as a person needs, and never the address that was asked. */
import { sanitize } from '../core/sanitize.ts';

const maxCharacters = 200;
/** Shorter parts of an address are words such as `services`, which an answer may well have. */
const minSecretCharacters = 12;

/** Parts of it that nobody could guess. */
function secretsOf(address: string): string[] {
  const url = URL.parse(address);
  if (url === null) return [address];
  const parts = [...url.pathname.split('/'), ...url.searchParams.values()];
  return parts.filter((part) => part.length >= minSecretCharacters);
}

/** @param address a secret: who answers with it, as proxies do on their pages, is not repeated. */
export const answerText = (body: string, address: string): string =>
  secretsOf(address).some((secret) => body.includes(secret) || body.includes(encodeURIComponent(secret)))
    ? '(an answer that repeats the address)'
    : sanitize(body, maxCharacters);
