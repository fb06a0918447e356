/** What a configuration may not mean as it stands: allowed, and worth a second look. */
import { defaultThresholds } from '../diagnosis/thresholds.ts';
import type { ConfigNote } from '../schemas/config-answer.ts';
import { severityRank } from '../schemas/finding-kinds.ts';
import { secondsPerDay } from '../units.ts';
import { type Config, type Route, routesOf } from './config.ts';

function routeNotes({ channels, notifications }: Config, routes: readonly Route[]): ConfigNote[] {
  const { minSeverity } = notifications;
  const routed = new Set(routes.flatMap(({ to }) => to));
  const least = severityRank(minSeverity);
  return [
    ...Object.keys(channels)
      .filter((name) => !routed.has(name))
      .map((channel) => ({ code: 'channel-without-route' as const, channel })),
    ...routes.flatMap(({ minSeverity: asksFor }, i) =>
      severityRank(asksFor) > least && asksFor !== 'info'
        ? [{ code: 'route-below-least' as const, route: i + 1, asksFor, minSeverity }]
        : [],
    ),
  ];
}

function nobodyNotes({ channels, notifications, alarms }: Config, routes: readonly Route[]): ConfigNote[] {
  const isAny = (is: (route: Route) => boolean): boolean =>
    routes.some((one) => one.to.length > 0 && is(one));
  const nobody = Object.keys(channels).length === 0 && notifications.emails.length === 0;
  const noDigests = notifications.digest !== 'none' && !isAny(({ digests }) => digests);
  const noAlarms = alarms.emails.length === 0 && !isAny((route) => route.alarms);
  return [
    ...(nobody ? [{ code: 'nobody-notified' as const }] : []),
    ...(noDigests ? [{ code: 'no-route-for-digests' as const }] : []),
    ...(noAlarms ? [{ code: 'no-route-for-alarms' as const }] : []),
  ];
}

function twiceNotes({ channels, notifications }: Config): ConfigNote[] {
  const mailed = new Set(notifications.emails.map((email) => email.toLowerCase()));
  return Object.entries(channels).flatMap(([name, channel]) =>
    channel.kind === 'sns' && channel.emails.some((email) => mailed.has(email.toLowerCase()))
      ? [{ code: 'email-twice' as const, channel: name }]
      : [],
  );
}

function windowNotes({ audit: { lookbackDays }, thresholds }: Config): ConfigNote[] {
  const isShort = (name: 'idleWindowSeconds' | 'savingWindowSeconds'): boolean =>
    lookbackDays * secondsPerDay < (thresholds[name] ?? defaultThresholds[name]);
  return [
    ...(isShort('idleWindowSeconds') ? [{ code: 'window-too-short-for-idle' as const, lookbackDays }] : []),
    ...(isShort('savingWindowSeconds')
      ? [{ code: 'window-too-short-for-savings' as const, lookbackDays }]
      : []),
  ];
}

export function configNotes(config: Config): ConfigNote[] {
  const routes = routesOf(config);
  return [
    ...nobodyNotes(config, routes),
    ...routeNotes(config, routes),
    ...twiceNotes(config),
    ...windowNotes(config),
    ...(config.monitoring.enabled ? [] : [{ code: 'monitoring-off' as const }]),
  ];
}
