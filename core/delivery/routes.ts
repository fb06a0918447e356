/** What of a message goes to a channel. */
import type { Route } from '../config/config.ts';
import { hasAllTags } from '../config/tags.ts';
import { withFindings } from '../lifecycle/notification.ts';
import type { ChangeMessage } from '../schemas/change-message.ts';
import type { Digest } from '../schemas/digest.ts';
import type { FindingResource } from '../schemas/finding.ts';
import { severityRank } from '../schemas/finding-kinds.ts';
import type { Notification, NotifiedFinding } from '../schemas/notification.ts';

type Routed = Pick<NotifiedFinding, 'kind' | 'severity' | 'mostUrgent' | 'resource'>;

/** Units of an account are those that it is in, and those around them. */
const isOfAccount = (
  { accounts, organizationalUnits }: Route,
  { account, accountUnits = [] }: Pick<FindingResource, 'account' | 'accountUnits'>,
): boolean =>
  (accounts?.includes(account ?? '') ?? true) &&
  (organizationalUnits?.some((unit) => accountUnits.includes(unit)) ?? true);

/** What is less urgent than it was goes where it was: who heard of it hears its end. */
export function matchesRoute(route: Route, { kind, severity, mostUrgent, resource }: Routed): boolean {
  const { minSeverity, kinds, regions, tags, namespaces } = route;
  return (
    severityRank(mostUrgent ?? severity) <= severityRank(minSeverity) &&
    (kinds?.includes(kind) ?? true) &&
    isOfAccount(route, resource) &&
    (regions?.includes(resource.region) ?? true) &&
    (namespaces?.includes(resource.kubernetes?.namespace ?? '') ?? true) &&
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

/**
 * With the findings that its routes let through, the totals of accounts that they are about, and the figures of all; null where
 * none of its routes is for digests.
 */
export function digestFor(channel: string, digest: Digest, routes: readonly Route[]): Digest | null {
  const own = routesTo(channel, routes).filter(({ digests }) => digests);
  if (own.length === 0) return null;
  const first = digest.first.filter((finding) => own.some((route) => matchesRoute(route, finding)));
  const byAccount = digest.byAccount?.filter((one) => own.some((route) => isOfAccount(route, one)));
  return {
    ...digest,
    first,
    notShown: digest.notShown + digest.first.length - first.length,
    ...(byAccount === undefined ? {} : { byAccount }),
  };
}

/**
 * A channel gets a change where one of its routes is for the account and the Region of the volume. A change has no severity, no
 * kind, no tags, no namespace and no unit: what a route says of these holds nothing back. Who hears of findings of an account hears of its changes.
 */
export const getsChange = (
  channel: string,
  { change: { plan } }: ChangeMessage,
  routes: readonly Route[],
): boolean =>
  routesTo(channel, routes).some(
    ({ accounts, regions }) =>
      (accounts?.includes(plan.account) ?? true) && (regions?.includes(plan.region) ?? true),
  );

export const getsAlarms = (channel: string, routes: readonly Route[]): boolean =>
  routesTo(channel, routes).some(({ alarms }) => alarms);
