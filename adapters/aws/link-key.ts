/** The key that links to reports are signed with. */
import { Unreadable } from '../../core/errors.ts';
import { secretText } from './secret-text.ts';

/** A changed key is used after so many seconds at the latest: links of before are not valid any more then. */
const maxAgeSeconds = 300;
/** As many as SHA-256 has bytes. */
const minCharacters = 32;

/**
 * It is a secret: no error carries it.
 * @param forceFetch true: what it is now, and not what it was when it was last read.
 * @throws Unreadable where it cannot be read, or is too short to sign with.
 */
export async function readLinkKey(secretArn: string, forceFetch = false): Promise<string> {
  const key = await secretText(secretArn, { maxAgeSeconds, forceFetch });
  if (key.length >= minCharacters) return key;
  throw new Unreadable(
    `the key of report links has ${key.length} characters: put in a new one of ${minCharacters} or more`,
  );
}
