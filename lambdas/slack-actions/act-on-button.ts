/**
 * A button of a finding was pressed in Slack. Whoever asks must be Slack, just now, and for the first time, and who pressed must
 * be of a workspace that the secret names: then the finding is muted or acknowledged, or a change of a volume is requested or
 * decided, and the thread says so.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isFromSlack, type SignedRequest } from '../../core/delivery/slack-signature.ts';
import { slackTeamIdSchema } from '../../core/delivery/slack-team.ts';
import { jsonOrNull } from '../../core/json.ts';
import { sanitize } from '../../core/sanitize.ts';
import { secondsPerDay, secondsPerHour, utcText } from '../../core/units.ts';
import { buttons, muteDays } from '../../report/slack/message.ts';
import type { ChangesByButton } from './changes-by-button.ts';

export interface ButtonRequest extends SignedRequest {
  method: string;
}

export interface SlackApp {
  signingSecret: string;
  /** Whose members may press its buttons. */
  teamIds: readonly string[];
}

/** Or nothing was changed: it is resolved already, or nobody remembers it. */
export type ActionResult = 'done' | 'resolved' | 'gone';

export interface ActWith {
  readApps(): Promise<SlackApp[]>;
  /** False where the same request came before. */
  isFirst(id: string, untilEpochSeconds: number): Promise<boolean>;
  mute(findingId: string, untilEpochSeconds: number, by: string): Promise<ActionResult>;
  acknowledge(findingId: string, by: string): Promise<ActionResult>;
  /** Null: changes of volumes are not turned on. */
  changes: ChangesByButton | null;
  /** Says a line in the thread. */
  say(responseUrl: string, threadTs: string, text: string): Promise<void>;
  onTrouble(reason: string, error?: Error): void;
}

interface Answer {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

const answer = (statusCode: number, body = ''): Answer => ({
  statusCode,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body,
});
/** Whoever guesses learns the same from every guess. */
const notValid = answer(403, 'This request is not valid.\n');
const done = answer(200);

/**
 * What Slack sends for a button, as far as we read it. `team` is where the app is installed, and null where a whole organization
 * has it; `user.team_id` is of who pressed: in a shared channel the id of the guest's own workspace, in an Enterprise organization
 * the organization's. Source: its page of block_actions payloads, read 2026-11-23.
 */
const payloadSchema = z.object({
  type: z.literal('block_actions'),
  user: z.object({
    id: z.string().regex(/^[UW][A-Z0-9]{2,20}$/),
    team_id: slackTeamIdSchema.optional(),
  }),
  message: z.object({ ts: z.string(), thread_ts: z.string().optional() }),
  response_url: z.url(),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().optional() })).min(1),
});
type Payload = z.infer<typeof payloadSchema>;

const findingIdSchema = z.string().regex(/^[0-9a-f]{16}$/);

/** A request is refused after this time for its age alone. */
const rememberSeconds = secondsPerHour;

/** Null where what was signed is no press of a button, such as a menu. */
function payloadOf(body: string): Payload | null {
  const text = new URLSearchParams(body).get('payload');
  return payloadSchema.safeParse(text === null ? null : jsonOrNull(text)).data ?? null;
}

const nothingDone = {
  resolved: 'This finding is resolved already: there is nothing to change.',
  gone: 'This finding is not remembered any more: there is nothing to change.',
} as const;

/** What a button does; gives what is said of it. */
type Pressed = () => Promise<string>;

function ofFinding(
  actionId: string,
  value: string | undefined,
  { user, nowEpochSeconds }: { user: Payload['user']; nowEpochSeconds: number },
  { mute, acknowledge }: ActWith,
): Pressed | null {
  const findingId = findingIdSchema.safeParse(value).data;
  if (findingId === undefined) return null;
  const by = `Slack user ${user.id}`;
  const until = nowEpochSeconds + muteDays * secondsPerDay;
  const lineOf = (result: ActionResult, text: string): string => ({ done: text, ...nothingDone })[result];
  if (actionId === buttons.mute)
    return async () =>
      lineOf(
        await mute(findingId, until, by),
        `<@${user.id}> muted this: nothing of it is notified until ${utcText(until)} UTC.`,
      );
  if (actionId === buttons.acknowledge)
    return async () =>
      lineOf(
        await acknowledge(findingId, by),
        `<@${user.id}> acknowledged this. You will hear again only if it gets worse or is resolved.`,
      );
  return null;
}

const changeIdSchema = z.string().regex(/^[\w.:-]{1,100}$/);
const approvalSchema = z
  .string()
  .regex(/^[\w.:-]{1,100} [0-9a-f]{16}$/)
  .transform((value) => value.split(' ') as [id: string, fingerprint: string]);
const turnedOff = 'Changes of volumes are not turned on: `changes:` in stripewise.yaml does that.';

function ofChange(
  actionId: string,
  value: string | undefined,
  { id: userId }: Payload['user'],
  { changes }: ActWith,
): Pressed | null {
  const by = `slack:${userId}`;
  const asked = (does: (to: ChangesByButton) => Promise<string>): Pressed =>
    changes === null ? async () => turnedOff : () => does(changes);
  if (actionId === buttons.requestChange) {
    const findingId = findingIdSchema.safeParse(value).data;
    return findingId === undefined ? null : asked((to) => to.propose(findingId, by));
  }
  if (actionId === buttons.approveChange) {
    const [id, fingerprint] = approvalSchema.safeParse(value).data ?? [];
    return id === undefined || fingerprint === undefined
      ? null
      : asked((to) => to.approve(id, fingerprint, by));
  }
  if (actionId !== buttons.rejectChange && actionId !== buttons.undoChange) return null;
  const id = changeIdSchema.safeParse(value).data;
  if (id === undefined) return null;
  return asked((to) => (actionId === buttons.rejectChange ? to.reject(id, by) : to.undo(id, by)));
}

async function act(
  { user, message, response_url, actions }: Payload,
  nowEpochSeconds: number,
  use: ActWith,
): Promise<void> {
  for (const { action_id, value } of actions) {
    const pressed =
      ofFinding(action_id, value, { user, nowEpochSeconds }, use) ?? ofChange(action_id, value, user, use);
    if (pressed !== null) await use.say(response_url, message.thread_ts ?? message.ts, await pressed());
  }
}

/** What is in a request is in no answer and in no log but who asked for what. */
export async function actOnButton(
  request: ButtonRequest,
  nowEpochSeconds: number,
  use: ActWith,
): Promise<Answer> {
  if (request.method !== 'POST') return answer(405, 'A button is pressed with POST.\n');
  try {
    const apps = (await use.readApps()).filter(({ signingSecret }) =>
      isFromSlack(request, [signingSecret], nowEpochSeconds),
    );
    if (apps.length === 0) {
      use.onTrouble('a request was not signed by Slack just now');
      return notValid;
    }
    const id = createHash('sha256').update(`${request.signature}`).digest('hex');
    if (!(await use.isFirst(id, nowEpochSeconds + rememberSeconds))) {
      use.onTrouble('a request came again');
      return notValid;
    }
    const payload = payloadOf(request.body);
    if (payload === null) return done;
    if (!apps.some(({ teamIds }) => teamIds.some((id) => id === payload.user.team_id))) {
      use.onTrouble('who pressed is of no workspace in teamIds of the secret of the channel');
      return notValid;
    }
    await act(payload, nowEpochSeconds, use);
    return done;
  } catch (error) {
    use.onTrouble(`a button could not be obeyed: ${sanitize((error as Error).message, 300)}`, error as Error);
    return answer(503, 'Try again in a minute.\n');
  }
}
