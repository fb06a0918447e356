/** What a configuration may not mean as it stands: allowed, and worth a second look. */
import { defaultThresholds } from '../diagnosis/thresholds.ts';
import { severityRank } from '../schemas/finding-kinds.ts';
import { secondsPerDay } from '../units.ts';
import { type Config, type Route, routesOf } from './config.ts';

function routeNotes({ channels, advisory }: Config, routes: readonly Route[]): string[] {
  const { leastSeverity } = advisory;
  const routed = new Set(routes.flatMap(({ to }) => to));
  const least = severityRank(leastSeverity);
  return [
    ...Object.keys(channels)
      .filter((name) => !routed.has(name))
      .map((name) => `no route leads to the channel ${name}: it is told nothing`),
    ...routes.flatMap((route, i) =>
      severityRank(route.leastSeverity) > least && route.leastSeverity !== 'info'
        ? [
            `route ${i + 1} asks for ${route.leastSeverity}, but advisory.leastSeverity tells nothing below ${leastSeverity}`,
          ]
        : [],
    ),
  ];
}

function nobodyNotes({ channels, advisory, alarms }: Config, routes: readonly Route[]): string[] {
  const isAny = (is: (route: Route) => boolean): boolean =>
    routes.some((one) => one.to.length > 0 && is(one));
  const nobody = Object.keys(channels).length === 0 && advisory.emails.length === 0;
  return [
    ...(nobody ? ['no channels and no advisory.emails: nobody is told of findings'] : []),
    ...(advisory.digest !== 'none' && !isAny(({ digests }) => digests)
      ? ['no route takes digests: advisory.digest tells nobody']
      : []),
    ...(alarms.emails.length === 0 && !isAny((route) => route.alarms)
      ? ['no alarms.emails, and no route takes alarms: nobody hears where the service itself fails']
      : []),
  ];
}

function twiceNotes({ channels, advisory }: Config): string[] {
  const mailed = new Set(advisory.emails.map((email) => email.toLowerCase()));
  return Object.entries(channels).flatMap(([name, channel]) =>
    channel.kind === 'sns' && channel.emails.some((email) => mailed.has(email.toLowerCase()))
      ? [`an address stands in advisory.emails and in the channel ${name}: it is told twice`]
      : [],
  );
}

function windowNotes({ audit, thresholds }: Config): string[] {
  const seconds = audit.lookbackDays * secondsPerDay;
  const isShort = (name: 'idleWindowSeconds' | 'savingWindowSeconds'): boolean =>
    seconds < (thresholds[name] ?? defaultThresholds[name]);
  return [
    ...(isShort('idleWindowSeconds') ? ['audit.lookbackDays is too short to call a volume idle'] : []),
    ...(isShort('savingWindowSeconds')
      ? ['audit.lookbackDays is too short to tell what a load could save']
      : []),
  ];
}

export function configNotes(config: Config): string[] {
  const routes = routesOf(config);
  return [
    ...nobodyNotes(config, routes),
    ...routeNotes(config, routes),
    ...twiceNotes(config),
    ...windowNotes(config),
    ...(config.pulse.enabled ? [] : ['the pulse is off: nobody looks between two audits']),
  ];
}
