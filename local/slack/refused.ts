/** A refusal in Slack's word; why is for whoever reads a test, Slack gives the word alone. */
export class SlackRefusal extends Error {
  override readonly name = 'SlackRefusal';
  readonly error: string;

  constructor(error: string, reason: string) {
    super(reason);
    this.error = error;
  }
}
