/** `changes:` of the configuration: who may approve a change of a volume, when it may be made, and what it may cost. */
import { z } from 'zod';
import { findingKinds } from '../schemas/finding-kinds.ts';
import { timeOfDayPattern } from '../wall-clock.ts';
import { textLike } from './organization.ts';
import type { Problem } from './problem.ts';

const hourSchema = textLike(timeOfDayPattern, 'a time like "22:00", in quotes');

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};
export const timeZoneSchema = z
  .string()
  .refine(isTimeZone, 'a time zone like Europe/Berlin')
  .default('UTC')
  .meta({ description: 'whose clock' });

const tagsSchema = z
  .record(z.string().min(1).max(128), z.string('a value, in quotes').max(256))
  .default({})
  .meta({ description: 'volumes that have all of these; none: all volumes' });

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

const windowSchema = z
  .strictObject({
    tags: tagsSchema,
    days: z
      .array(z.enum(weekdays))
      .min(1)
      .default([...weekdays])
      .meta({ description: 'on which it begins' }),
    from: hourSchema.meta({ description: 'when it begins' }),
    to: hourSchema.meta({
      description: 'when it ends, another time than `from`; before `from` it is the next day',
    }),
    timeZone: timeZoneSchema,
  })
  .transform(({ days, ...window }) => ({
    ...window,
    // Monday is 1, as ISO 8601 counts.
    days: days.map((day) => weekdays.indexOf(day) + 1),
  }));

/** Source: Slack, ids of users, read 2026-11-23. */
const slackUserSchema = textLike(/^[UW][A-Z0-9]{2,20}$/, 'the id of a Slack user, like U0123456789');

const roleSchema = textLike(
  /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,600}$/,
  'the ARN of a role, like arn:aws:iam::111122223333:role/dba',
);

const automaticSchema = z.strictObject({
  direction: z.enum(['reduction', 'increase']).meta({
    description:
      'reduction: the volume can do less in some way. increase: it can do as much or more; required',
  }),
  kinds: z
    .array(z.enum(findingKinds))
    .min(1)
    .optional()
    .meta({ description: 'kinds of findings; all where it is not given' }),
  tags: tagsSchema,
  maxUsdPerMonth: z
    .number()
    .positive()
    .max(100_000)
    .meta({ description: 'by how much the price of the volume may go up or down; required' }),
});
export type AutomaticRule = z.infer<typeof automaticSchema>;

export const changesSchema = z.strictObject({
  enabled: z.boolean().default(true).meta({ description: 'false: as if the section was not there' }),
  approvers: z
    .strictObject({
      slackUsers: z
        .array(slackUserSchema)
        .default([])
        .meta({ description: 'ids of users of the workspaces in the secret of the channel' }),
      roles: z.array(roleSchema).default([]).meta({
        description:
          'IAM roles that may approve on the command line; each counts as one person, whoever is in it',
      }),
    })
    .prefault({}),
  approvals: z
    .union([z.literal(1), z.literal(2)], 'one of 1, 2')
    .default(1)
    .meta({ description: 'how many people must approve; with 2 who asked for the change is none of them' }),
  automatic: z
    .array(automaticSchema)
    .default([])
    .meta({ description: 'what is approved by rule, without a person' }),
  windows: z.array(windowSchema).default([]).meta({
    description:
      'when a change may begin. None: at any time; else a volume that none of them is for may not begin',
  }),
  maxAtOnce: z.int().min(1).max(100).default(2).meta({ description: 'modifications under way at one time' }),
  maxPerDay: z.int().min(1).max(1_000).default(10).meta({ description: 'changes in 24 hours' }),
  maxIncreaseUsdPerMonth: z.number().min(0).max(1_000_000).nullable().default(100).meta({
    description: 'by how much all changes of a calendar month may raise the bill; null: no bound',
  }),
});
export type ChangesConfig = z.infer<typeof changesSchema>;

/** The section, where it is on. */
export const changesOf = ({ changes }: { changes?: ChangesConfig | undefined }): ChangesConfig | null =>
  changes?.enabled === true ? changes : null;

interface Around {
  changes?: ChangesConfig | undefined;
  archive?: unknown;
  channels: Readonly<Record<string, { kind: string; buttons?: boolean }>>;
}

/** As different people: sessions do not show the path of their role, so that two paths are one. */
const peopleOf = ({ slackUsers, roles }: ChangesConfig['approvers']): number =>
  new Set([...slackUsers, ...roles.map((arn) => arn.replace(/:role\/.*\//, ':role/'))]).size;

/** What the section needs of others. */
export function badChanges(config: Around): Problem[] {
  const changes = changesOf(config);
  if (changes === null) return [];
  const { slackUsers } = changes.approvers;
  const people = peopleOf(changes.approvers);
  const hasButtons = Object.values(config.channels).some(
    ({ kind, buttons }) => kind === 'slack-bot' && buttons === true,
  );
  const bad: [boolean, (string | number)[], string][] = [
    [
      config.archive === undefined,
      ['changes'],
      'a change is compared with the minutes before it, and no archive keeps them: add archive: {}',
    ],
    [
      slackUsers.length > 0 && !hasButtons,
      ['changes', 'approvers', 'slackUsers'],
      'nobody can press a button: give a channel of kind slack-bot buttons: true',
    ],
    [
      people === 0,
      ['changes', 'approvers'],
      'nobody may approve, undo or lift a stop: give slackUsers or roles, or enabled: false',
    ],
    [
      changes.approvals > people && people > 0,
      ['changes', 'approvals'],
      `${changes.approvals} people must approve, and one may (a role counts once): give more approvers`,
    ],
    ...changes.windows.map(({ from, to }, i): [boolean, (string | number)[], string] => [
      from === to,
      ['changes', 'windows', i],
      'is a window of no length: give two times; no windows at all are any time',
    ]),
  ];
  return bad.flatMap(([isBad, path, text]) => (isBad ? [{ path, text }] : []));
}
