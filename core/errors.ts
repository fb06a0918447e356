/** What a person gave cannot be used: they can mend it. The message is one line: what, why, what would be right. */
export class BadInput extends Error {
  override readonly name: string = 'BadInput';
}

/** A volume configuration that EBS would refuse; the message names the rule it breaks. */
export class IllegalConfiguration extends BadInput {
  override readonly name = 'IllegalConfiguration';
}
