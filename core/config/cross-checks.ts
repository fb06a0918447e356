/** What no section of the configuration can know by itself. */
import { readingPlan } from '../audit/batches.ts';
import { defaultThresholds, type ThresholdName } from '../diagnosis/thresholds.ts';
import { BadInput } from '../errors.ts';
import { nearest } from '../nearest.ts';
import { secondsPerDay } from '../units.ts';
import type { Config } from './config.ts';
import { channelBytes, mostChannelBytes } from './packed-channels.ts';
import type { Problem } from './problem.ts';
import { variablesOf } from './variables.ts';

function badLookback({ audit }: Config): Problem[] {
  const periodSeconds = audit.mode === 'adaptive' ? 'two-passes' : audit.periodSeconds;
  // What CloudWatch keeps depends on how long ago a time is, and not on which day it is now.
  const now = new Date('2026-01-01T00:00:00Z');
  try {
    readingPlan({ lookbackDays: audit.lookbackDays, periodSeconds, until: now, now, settleSeconds: 0 });
    return [];
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return [{ path: ['audit', 'lookbackDays'], text: `with audit.periodSeconds: ${error.message}` }];
  }
}

function badMemory({ audit, notifications }: Config): Problem[] {
  const leastDays = (2 * audit.everyHours) / 24;
  if (notifications.retentionDays >= leastDays) return [];
  const text = `${notifications.retentionDays} days are shorter than two audits (audit.everyHours: ${audit.everyHours}): what goes on would be reported again; give ${leastDays} or more`;
  return [{ path: ['notifications', 'retentionDays'], text }];
}

function badRoutes({ routes = [], channels }: Config): Problem[] {
  const names = Object.keys(channels);
  const known = names.length === 0 ? 'there is no channel' : `give one of ${names.join(', ')}`;
  return routes.flatMap(({ to }, route) =>
    to.flatMap((name, i) => {
      if (Object.hasOwn(channels, name)) return [];
      const meant = nearest(name, names);
      const hint = meant === null ? known : `did you mean ${meant}?`;
      return [{ path: ['routes', route, 'to', i], text: `"${name}" is none of channels: ${hint}` }];
    }),
  );
}

const badQuietHours = ({ channels }: Config): Problem[] =>
  Object.entries(channels).flatMap(([name, { quietHours }]) =>
    quietHours === null || quietHours.from !== quietHours.to
      ? []
      : [
          {
            path: ['channels', name, 'quietHours'],
            text: 'end when they begin: give two times, or no quietHours; a channel that is to say nothing has no route',
          },
        ],
  );

/** The first that stands there before. */
function twice(values: readonly string[], path: readonly PropertyKey[], what: string): Problem[] {
  const seen = new Set<string>();
  for (const [i, value] of values.entries()) {
    const same = value.toLowerCase();
    if (seen.has(same)) return [{ path: [...path, i], text: `${what} stands there twice: give it once` }];
    seen.add(same);
  }
  return [];
}

const badLists = ({ regions, notifications, alarms, channels }: Config): Problem[] => [
  ...twice(regions, ['regions'], 'this Region'),
  ...twice(notifications.emails, ['notifications', 'emails'], 'this address'),
  ...twice(alarms.emails, ['alarms', 'emails'], 'this address'),
  ...Object.entries(channels).flatMap(([name, channel]) =>
    channel.kind === 'sns' ? twice(channel.emails, ['channels', name, 'emails'], 'this address') : [],
  ),
];

/** Of each pair the first is no more than the second. */
const inOrder = [
  ['throttledWarningMinutes', 'throttledCriticalMinutes', 'what is critical is a warning before'],
  ['willExhaustCriticalSeconds', 'willExhaustSeconds', 'what is critical is a warning before'],
  ['unreachableUsd', 'unreachableWarningUsd', 'a warning is reported'],
] as const satisfies readonly (readonly [ThresholdName, ThresholdName, string])[];

function badThresholds({ thresholds, audit }: Config): Problem[] {
  const inForce = (name: ThresholdName): number => thresholds[name] ?? defaultThresholds[name];
  const unordered = inOrder.flatMap(([less, more, reason]) => {
    if (inForce(less) <= inForce(more)) return [];
    const [own, other] = thresholds[less] === undefined ? [more, less] : [less, more];
    const [side, bound] = own === less ? ['more', 'at most'] : ['less', 'at least'];
    return [
      {
        path: ['thresholds', own],
        text: `${inForce(own)} is ${side} than ${other} (${inForce(other)}), and ${reason}: give ${bound} ${inForce(other)}, or another ${other}`,
      },
    ];
  });
  const seconds = audit.lookbackDays * secondsPerDay;
  const tooLong = (['idleWindowSeconds', 'savingWindowSeconds'] as const).flatMap((name) =>
    (thresholds[name] ?? 0) > seconds
      ? [
          {
            path: ['thresholds', name],
            text: `${thresholds[name]} is longer than an audit looks back (audit.lookbackDays: ${audit.lookbackDays}): give ${seconds} or less, or nothing of that would ever be reported`,
          },
        ]
      : [],
  );
  return [...unordered, ...tooLong];
}

/** All variables of a function together have 4 KB; other variables need some of it. */
const mostVariableBytes = 3_000;

function tooMuchForFunctions(config: Config): Problem[] {
  const bytes = Object.values(variablesOf(config)).reduce(
    (sum, text) => sum + new TextEncoder().encode(text).length,
    0,
  );
  if (bytes <= mostVariableBytes) return [];
  const text = `with thresholds and the keys of tags in routes takes ${bytes} bytes, and functions can be given ${mostVariableBytes} of it: give fewer or shorter values`;
  return [{ path: ['exclude', 'tags'], text }];
}

/** The notify function knows each by its name, in a variable. */
const mostChannels = 40;

function tooManyChannels(config: Config): Problem[] {
  const count = Object.keys(config.channels).length;
  if (count > mostChannels)
    return [{ path: ['channels'], text: `are ${count}: give ${mostChannels} or fewer` }];
  const bytes = channelBytes(config);
  if (bytes <= mostChannelBytes) return [];
  const text = `with routes take ${bytes} bytes of what a function can be given, which is ${mostChannelBytes}: give fewer channels, or fewer or shorter routes`;
  return [{ path: ['channels'], text }];
}

export const crossChecks = (config: Config): Problem[] => [
  ...badLookback(config),
  ...badMemory(config),
  ...badRoutes(config),
  ...badQuietHours(config),
  ...badLists(config),
  ...badThresholds(config),
  ...tooMuchForFunctions(config),
  ...tooManyChannels(config),
];
