/** Somebody who reads the local Slack and presses its buttons, by a clock that is set. */
import { delay } from 'es-toolkit/promise';
import { z } from 'zod';
import { localSigningSecret, type StackOutputs } from '../deploy.ts';
import type { Services } from '../services.ts';
import { messageAsText } from '../slack/as-text.ts';
import { pressButton } from '../slack/press-button.ts';
import { localBot } from '../slack/server.ts';

const postsSchema = z.array(
  z.object({
    ts: z.string(),
    threadTs: z.string().nullable(),
    text: z.string(),
    blocks: z.array(z.looseObject({ type: z.string(), elements: z.array(z.unknown()).optional() })),
  }),
);
type Post = z.infer<typeof postsSchema>[number];
const responsesSchema = z.array(
  z.object({ messageTs: z.string(), response: z.object({ text: z.string() }) }),
);

const buttonSchema = z.object({ type: z.literal('button'), action_id: z.string(), value: z.string() });

const pollMs = 100;
const maxWaitMs = 30_000;

export class SlackPerson {
  private readonly services: Services;
  private readonly url: string;
  private readonly user: string;
  private readonly nowSeconds: () => number;

  /** @param nowSeconds by the clock of the function that hears the button */
  constructor(
    services: Services,
    { SlackActions }: Pick<StackOutputs, 'SlackActions'>,
    user: string,
    nowSeconds: () => number,
  ) {
    if (SlackActions === undefined) throw new Error('the stack has no address that hears buttons');
    this.services = services;
    this.url = SlackActions;
    this.user = user;
    this.nowSeconds = nowSeconds;
  }

  private async read<T>(what: string, schema: z.ZodType<T>): Promise<T> {
    const reply = await fetch(`${this.services.urls.slack}/_stripewise/${what}`);
    return schema.parse(await reply.json());
  }

  /** Of messages, in order. */
  async titles(): Promise<string[]> {
    return (await this.read('posts', postsSchema)).map(({ text }) => text);
  }

  /** @throws Error where no message has such a button within half a minute */
  private async postWith(actionId: string, value: string): Promise<Post> {
    const has = ({ blocks }: Post): boolean =>
      blocks
        .flatMap(({ elements = [] }) => elements)
        .some((element) => {
          const button = buttonSchema.safeParse(element).data;
          return button?.action_id === actionId && button.value === value;
        });
    for (const until = Date.now() + maxWaitMs; Date.now() < until; await delay(pollMs)) {
      const found = (await this.read('posts', postsSchema)).find(has);
      if (found !== undefined) return found;
    }
    throw new Error(`no message of the local Slack has the button ${actionId} of ${value}`);
  }

  async messageWith(actionId: string, value: string): Promise<string[]> {
    const { text, blocks } = await this.postWith(actionId, value);
    return messageAsText({ text, blocks }).split('\n');
  }

  /** @returns what the app said to that. @throws Error where it said nothing */
  async press(actionId: string, value: string): Promise<string> {
    const { ts, threadTs } = await this.postWith(actionId, value);
    const before = (await this.read('responses', responsesSchema)).length;
    const { status, answer } = await pressButton({
      ...{ url: this.url, signingSecret: localSigningSecret, actionId, value, user: this.user },
      ...{ messageTs: ts, channel: localBot.channel, slackUrl: this.services.urls.slack },
      ...(threadTs === null ? {} : { threadTs }),
      nowEpochSeconds: this.nowSeconds(),
    });
    if (status !== 200) throw new Error(`the button ${actionId} was answered with ${status}: ${answer}`);
    for (const until = Date.now() + maxWaitMs; Date.now() < until; await delay(pollMs)) {
      const said = (await this.read('responses', responsesSchema)).slice(before);
      const found = said.find(({ messageTs }) => messageTs === ts);
      if (found !== undefined) return found.response.text;
    }
    throw new Error(`nothing was said to the button ${actionId}`);
  }
}
