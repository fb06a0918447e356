/**
 * Whether a request came from Slack, and now: HMAC-SHA256 over version, time stamp and body with the signing secret of the
 * app. Source: Slack, "Verifying requests from Slack", read 2026-11-23.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { secondsPerMinute } from '../units.ts';

/** Slack's own recommendation; who has seen a request cannot send it later. */
const maxAgeSeconds = 5 * secondsPerMinute;

export interface SignedRequest {
  /** As it came, byte by byte. */
  body: string;
  timestamp: string | undefined;
  signature: string | undefined;
}

export const slackSignature = (signingSecret: string, timestamp: string, body: string): string =>
  `v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')}`;

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** @param signingSecrets of every app that may ask. */
export function isFromSlack(
  { body, timestamp, signature }: SignedRequest,
  signingSecrets: readonly string[],
  nowEpochSeconds: number,
): boolean {
  if (timestamp === undefined || signature === undefined || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowEpochSeconds - Number(timestamp)) > maxAgeSeconds) return false;
  // All of them, whichever fits: how long it takes tells nothing.
  const fits = signingSecrets.map((secret) => isSame(slackSignature(secret, timestamp, body), signature));
  return fits.includes(true);
}
