/** What of a message goes to a channel. */
import type { Route } from '../config/config.ts';
import { hasAllTags } from '../config/tags.ts';
import { withFindings } from '../lifecycle/notification.ts';
import type { Digest } from '../schemas/digest.ts';
import { severityRank } from '../schemas/finding-kinds.ts';
import type { Notification, NotifiedFinding } from '../schemas/notification.ts';

type Routed = Pick<NotifiedFinding, 'kind' | 'severity' | 'mostUrgent' | 'resource'>;

/** What is less urgent than it was goes where it was: who heard of it hears its end. */
export function matchesRoute(route: Route, { kind, severity, mostUrgent, resource }: Routed): boolean {
  const { minSeverity, kinds, accounts, regions, tags } = route;
  return (
    severityRank(mostUrgent ?? severity) <= severityRank(minSeverity) &&
    (kinds?.includes(kind) ?? true) &&
    (accounts?.includes(resource.account ?? '') ?? true) &&
    (regions?.includes(resource.region) ?? true) &&
    (tags === undefined || hasAllTags(resource.tags ?? {}, tags))
  );
}

const routesTo = (channel: string, routes: readonly Route[]): Route[] =>
  routes.filter(({ to }) => to.includes(channel));

/** With what its routes let through; null where that is nothing. What is counted only may be anybody's. */
export function notificationFor(
  channel: string,
  notification: Notification,
  routes: readonly Route[],
): Notification | null {
  const own = routesTo(channel, routes);
  const notified = notification.notified.filter((finding) =>
    own.some((route) => matchesRoute(route, finding)),
  );
  return notified.length === 0 ? null : withFindings(notification, notified);
}

/** With the findings that its routes let through, and the figures of all; null where none of its routes is for digests. */
export function digestFor(channel: string, digest: Digest, routes: readonly Route[]): Digest | null {
  const own = routesTo(channel, routes).filter(({ digests }) => digests);
  if (own.length === 0) return null;
  const first = digest.first.filter((finding) => own.some((route) => matchesRoute(route, finding)));
  return { ...digest, first, notShown: digest.notShown + digest.first.length - first.length };
}

export const getsAlarms = (channel: string, routes: readonly Route[]): boolean =>
  routesTo(channel, routes).some(({ alarms }) => alarms);
