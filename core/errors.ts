import type { Refused } from './schemas/accounts.ts';

/** What a person gave cannot be used: they can fix it. The message is one line: what, why, what would be right. */
export class BadInput extends Error {
  override readonly name: string = 'BadInput';
}

/** A volume configuration that EBS would refuse; the message names the rule it breaks. */
export class IllegalConfiguration extends BadInput {
  override readonly name = 'IllegalConfiguration';
}

/** There was no room for what was to be written: the input is right, and the same run works with more room. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull';
}

/** The account could not be read. The message is one line: what was asked, what AWS said. */
export class Unreadable extends Error {
  override readonly name: string = 'Unreadable';
}

/** A permission is missing: asking again does not help, a policy does. */
export class AccessDenied extends Unreadable {
  override readonly name = 'AccessDenied';
}

/** The account does not use the service: nothing of it can be read, whoever asks. */
export class NotEnabled extends Unreadable {
  override readonly name = 'NotEnabled';
}

/** AWS asked us to slow down, more often than the client retries by itself: ask again later. */
export class Throttled extends Unreadable {
  override readonly name = 'Throttled';
}

/** An account lets nobody in: a state of the account, never an empty fleet. */
export class NotEntered extends Unreadable {
  override readonly name = 'NotEntered';
  readonly refused: Refused;

  constructor(refused: Refused, options?: ErrorOptions) {
    super(refused.reason ?? refused.code, options);
    this.refused = refused;
  }
}

/** AWS or the network failed in a way that passes: ask again. */
export class Unavailable extends Unreadable {
  override readonly name = 'Unavailable';
}

/** It is on its way: look again. Workflows wait for it. */
export class NotYet extends Error {
  override readonly name = 'NotYet';
}

/** A channel refused a message for what it is: sending it again does not help. */
export class Undeliverable extends Error {
  override readonly name = 'Undeliverable';
}
