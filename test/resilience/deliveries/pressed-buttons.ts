/** A button that is pressed while something befalls who obeys it: who presses it again is obeyed, and is notified so once. */
import { z } from 'zod';
import { localSigningSecret } from '../../../local/deploy.ts';
import { type PressReply, pressButton } from '../../../local/slack/press-button.ts';
import { localBot } from '../../../local/slack/server.ts';
import { buttons } from '../../../report/slack/message.ts';
import type { Outcome } from '../outcome-table.ts';
import { type CallerTrouble, callTwice, dyingAt, outcomeOf } from './caller-troubles.ts';
import type { ChannelsDay } from './channels-day.ts';

const part = 'SlackActions';

export const deathsOfButtons: CallerTrouble[] = [
  dyingAt('secretsmanager:GetSecretValue'),
  dyingAt('dynamodb:PutItem', '"seen#'),
  dyingAt('dynamodb:BatchGetItem'),
  dyingAt('dynamodb:PutItem', '"revision"'),
];

const postSchema = z.object({ ts: z.string() });

async function listed(day: ChannelsDay, path: string): Promise<unknown[]> {
  const reply = await fetch(`${day.services.urls.slack}/_stripewise/${path}`);
  return z.array(z.unknown()).parse(await reply.json());
}

export async function press(day: ChannelsDay): Promise<PressReply> {
  const [post] = await listed(day, 'posts');
  return pressButton({
    ...{ url: day.outputs.SlackActions ?? '', signingSecret: localSigningSecret },
    ...{ actionId: buttons.acknowledge, value: day.findingIds[0] ?? '', user: 'U0SOMEBODY' },
    ...{ messageTs: postSchema.parse(post).ts, channel: localBot.channel },
    slackUrl: day.services.urls.slack,
  });
}

export async function buttonOutcome(day: ChannelsDay, trouble: CallerTrouble): Promise<Outcome> {
  const { account } = day;
  // It keeps the secret for a minute.
  await account.restart(part);
  const before = (await listed(day, 'responses')).length;
  const { first, second, wrong } = await callTwice(day, part, trouble, () => press(day));
  const said = (await listed(day, 'responses')).slice(before);
  if (first.status < 500) wrong.push(`it answered ${first.status}`);
  if (second.status !== 200) wrong.push(`then it answered ${second.status}`);
  if (said.length !== 1 || !JSON.stringify(said).includes('acknowledged this'))
    wrong.push(`it said ${JSON.stringify(said)}`);
  return outcomeOf(trouble, 'an error, then obeyed', wrong);
}
