/** Whose credentials are used: an access key id says its account, as AWS's do (STS API reference, GetAccessKeyInfo). */

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The account in twelve digits of a key, or in the key of a session (local/ministack/patches/member_accounts.py); null where none is. */
export function accountOfKey(accessKeyId: string): string | null {
  if (/^\d{12}$/.test(accessKeyId)) return accessKeyId;
  const [, digits] = /^(?:AKIA|ASIA)([A-Z2-7]{10})[A-Z2-7]{6}$/.exec(accessKeyId) ?? [];
  if (digits === undefined) return null;
  let bits = 0n;
  for (const digit of digits) bits = (bits << 5n) | BigInt(base32.indexOf(digit));
  // Keys that MiniStack gives to functions have the first bit not set: they say none.
  return bits >> 49n === 0n ? null : `${(bits >> 9n) & ((1n << 40n) - 1n)}`.padStart(12, '0');
}

/** Of a signed request; null where it has no signature, or its key says no account. */
export const accountOfRequest = (authorization: string | undefined): string | null =>
  accountOfKey(/Credential=([^/,\s]+)\//.exec(authorization ?? '')?.[1] ?? '');
