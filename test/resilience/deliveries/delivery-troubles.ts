/** What befalls who delivers, and what each channel must have got of a message then: meanwhile, and in the end. */
import type { ChannelKind } from '../../../core/config/config.ts';
import { channelKinds } from '../../../core/config/config.ts';
import type { FaultKind } from '../../../local/gateway/faults.ts';
import type { Heard } from './ears.ts';

/** A number, or what it is at least and at most. */
type Expected = Record<keyof Heard, number | readonly [least: number, most: number]>;

export interface DeliveryTrouble {
  to: ChannelKind | 'all';
  /** `service:operation` */
  call: string;
  /** `permission`: its role loses the action. */
  kind: FaultKind | 'permission';
  times: number;
  /** Which of several such calls. */
  sends?: string;
  /** While it lasts; null: it passes by itself. */
  meanwhile: Expected | null;
  /** Some time after it is over. */
  atLast: Expected;
}

export const everywhere: Expected = {
  ...(Object.fromEntries(channelKinds.map((kind) => [kind, 1])) as Record<ChannelKind, number>),
  picture: 1,
};
const nowhere = Object.fromEntries(Object.keys(everywhere).map((kind) => [kind, 0])) as Expected;
const withoutPicture: Expected = { ...everywhere, picture: 0 };
const nothingBut = (kind: ChannelKind): Expected => ({
  ...nowhere,
  [kind]: 1,
  ...(kind === 'slack-bot' ? { picture: 1 } : {}),
});
const bySecret = { 'slack-webhook': 0, 'slack-bot': 0, picture: 0, teams: 0 } as const;

/** What the webhook does of itself, so that the call is made at all. */
export type WebhookDoes = 'takes it' | 'fails once' | 'refuses it';

interface OfCall {
  webhook: WebhookDoes;
  meanwhile: Expected;
  atLast: Expected;
  /** It is done all the same: there is no later for it. */
  isOver?: true;
}

/** Where a call is refused as long as the trouble lasts. */
export const byCall: Record<string, OfCall> = {
  'secretsmanager:GetSecretValue': {
    ...{ webhook: 'takes it', atLast: everywhere },
    meanwhile: { ...everywhere, ...bySecret },
  },
  'dynamodb:PutItem': { webhook: 'takes it', meanwhile: nowhere, atLast: everywhere },
  'dynamodb:UpdateItem': { webhook: 'takes it', meanwhile: nowhere, atLast: everywhere },
  // It takes back that it is posting.
  'dynamodb:DeleteItem': {
    ...{ webhook: 'fails once', atLast: everywhere },
    meanwhile: { ...everywhere, 'slack-webhook': 0 },
  },
  'sns:Publish': {
    ...{ webhook: 'takes it', atLast: everywhere },
    meanwhile: { ...everywhere, sns: 0, 'amazon-q': 0 },
  },
  'events:PutEvents': {
    ...{ webhook: 'takes it', atLast: everywhere },
    meanwhile: { ...everywhere, eventbridge: 0 },
  },
  's3:ListBucket': { webhook: 'takes it', meanwhile: withoutPicture, atLast: withoutPicture, isOver: true },
  // The topic carries no more than that there is something: all of it is in S3.
  's3:GetObject': { webhook: 'takes it', meanwhile: nowhere, atLast: everywhere },
  'dynamodb:BatchGetItem': { webhook: 'takes it', meanwhile: nowhere, atLast: everywhere },
  // What the webhook refuses is kept for a person.
  'sqs:SendMessage': {
    ...{ webhook: 'refuses it', meanwhile: { ...everywhere, 'slack-webhook': 0 } },
    atLast: { ...everywhere, 'slack-webhook': 0 },
  },
  // Without it the message comes again when the queue says so.
  'sqs:ChangeMessageVisibility': {
    ...{ webhook: 'fails once', atLast: everywhere },
    meanwhile: { ...everywhere, 'slack-webhook': [0, 1] },
  },
};

const lasting = (kind: DeliveryTrouble['kind'], call: string): DeliveryTrouble => {
  const { meanwhile, atLast } = byCall[call] ?? { meanwhile: everywhere, atLast: everywhere };
  return { ...{ to: 'all', call, kind, times: -1 }, meanwhile, atLast };
};

export const withoutPermission = (call: string): DeliveryTrouble => lasting('permission', call);

const calls = Object.keys(byCall);
/** No answer, and throttling, are the affair of a service's client: at the first of its calls. */
const firstOfService = calls.filter(
  (call, index) => calls.findIndex((one) => one.split(':')[0] === call.split(':')[0]) === index,
);
/** Where half an answer leaves open whether it was done. */
const writing = calls.filter((call) => /:(Put|Update|Delete|Publish|Send|Change)/.test(call));

/** Half an answer of these leaves open whether it was sent: it is sent again. */
const sentAgain: Record<string, Partial<Expected>> = {
  'sns:Publish': { sns: [1, 2], 'amazon-q': [1, 2] },
  'events:PutEvents': { eventbridge: [1, 2] },
};

const passing = (kind: FaultKind, call: string): DeliveryTrouble => ({
  ...{ to: 'all', call, kind, times: 1, meanwhile: null },
  atLast: {
    ...everywhere,
    ...(call === 'sqs:SendMessage' ? { 'slack-webhook': 0 } : {}),
    ...(kind === 'truncated' ? sentAgain[call] : {}),
  },
});

export const troublesOfCalls: DeliveryTrouble[] = [
  ...firstOfService.map((call) => passing('slow', call)),
  ...calls.map((call) => passing('internal-error', call)),
  ...writing.map((call) => passing('truncated', call)),
  ...firstOfService.map((call) => lasting('throttled', call)),
];

const dying = (
  to: ChannelKind,
  [kind, call, sends]: readonly [FaultKind, string, string?],
  atLast: Partial<Expected> = {},
): DeliveryTrouble => ({
  ...{ to, call, kind, times: 1, meanwhile: null },
  ...(sends === undefined ? {} : { sends }),
  atLast: { ...nothingBut(to), ...atLast },
});

const begun = '"INPROGRESS"';
const done = '"COMPLETED"';

/**
 * It dies between any two steps of a post: it says that it begins, takes one of the messages of the hour, posts, and says that
 * it has. Who dies after the post and before the last cannot tell whether it was made: a channel that knows what it has gets it
 * once, the others once or twice.
 */
export const troublesOfDying: DeliveryTrouble[] = [
  ...(['slack-webhook', 'slack-bot'] as const).flatMap((to) => [
    dying(to, ['crash', 'dynamodb:PutItem', begun]),
    dying(to, ['crash', 'dynamodb:UpdateItem', '"hour#']),
    dying(to, ['crash', 'dynamodb:UpdateItem', done]),
  ]),
  ...channelKinds.map((to) =>
    dying(to, ['crash-before', 'dynamodb:UpdateItem', done], to === 'slack-bot' ? {} : { [to]: [1, 2] }),
  ),
  // The thread of a finding is looked for, and kept.
  dying('slack-bot', ['crash', 'dynamodb:UpdateItem', '"thread#']),
  dying('slack-bot', ['crash-before', 'dynamodb:PutItem', '"thread#']),
  dying('slack-bot', ['crash', 'dynamodb:PutItem', '"thread#']),
  dying('slack-bot', ['crash', 's3:GetObject']),
];

export const isAsExpected = (heard: Heard, expected: Expected): boolean =>
  Object.entries(expected).every(([kind, demand]) => {
    const [least, most] = typeof demand === 'number' ? [demand, demand] : demand;
    const seen = heard[kind as keyof Heard];
    return seen >= least && seen <= most;
  });

/** "all but teams", "slack-bot, picture 1-2": once where nothing else is said. */
export function inWords(counts: Partial<Expected>): string {
  const parts = Object.entries(counts).map(([kind, number]) => ({
    kind,
    number: [number ?? 0].flat().join('-'),
  }));
  const not = parts.filter(({ number }) => number === '0').map(({ kind }) => kind);
  if (not.length === parts.length) return 'nothing';
  const odd = parts.filter(({ number }) => number !== '0' && number !== '1');
  const other = odd.map(({ kind, number }) => `${kind} ${number}`);
  const once = parts.filter(({ number }) => number === '1').map(({ kind }) => kind);
  if (once.length <= not.length) return [...once, ...other].join(', ');
  return [`all${not.length === 0 ? '' : ` but ${not.join(', ')}`}`, ...other].join('; ');
}
