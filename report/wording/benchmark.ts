/** The words of a benchmark of a finding: what is compared, what is assumed, what cannot be shown, what it showed. */
import type { BenchLayout } from '../../core/benchmark/campaign/request.ts';
import type { NotProvable } from '../../core/benchmark/from-finding/request.ts';
import { figure } from '../../core/figures.ts';
import type { BenchedFinding, PlanNote } from '../../core/schemas/bench-plan-answer.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { Validation } from '../../core/schemas/validation.ts';
import { campaignNoteText, volumeFigures } from './campaign.ts';
import { configurationReasonText, noCommonTimeText } from './reasons.ts';
import { counted, shortText, timeText } from './words.ts';

/** How a finding is called: "throttled-volume-iops on vol-0123456789abcdef0". */
export const findingName = ({ kind, resource }: Pick<Finding, 'kind' | 'resource'>): string =>
  `${kind} on ${shortText(resource.id, 60)}`;

const layoutText = ({ kind, members, ...each }: BenchLayout): string =>
  members === 1
    ? `${each.volumeType}, ${volumeFigures(each)}`
    : `${kind} of ${members}, each ${each.volumeType}, ${volumeFigures(each)}`;

/** "gp3, 100 GiB, 3,000 IOPS, 125 MiB/s, on m5.large"; "stripe of 4, each gp3, ...". */
export const configurationText = ({ layout, instanceType }: BenchedFinding['current']): string =>
  `${layoutText(layout)}, on ${shortText(instanceType, 30)}`;

const kindWords: Readonly<Record<Extract<NotProvable, { code: 'kind-not-measurable' }>['kind'], string>> = {
  idle: 'nothing used it, so there is no load to repeat',
  unattached: 'it is attached to nothing, so there is no load to repeat',
  stalled: 'new volumes do not show what stalled it',
  'stripe-straggler': 'new volumes do not show why one member is slower than the others',
  'ebs-card-imbalance': 'its volumes stay as they are and only move to other cards',
  uninitialized: 'new volumes have nothing to read from a snapshot',
  'unreachable-performance': 'it is about what is paid for and cannot be used, not about speed',
  'instance-credits-exhausted':
    'a new host has full EBS credits for half an hour, and what comes after them is not measured',
};

/** Why no benchmark can show a finding; it goes on after "cannot be benchmarked: ". */
export function notProvableText(reason: NotProvable): string {
  switch (reason.code) {
    case 'kind-not-measurable':
      return kindWords[reason.kind];
    case 'array-not-built':
      return `a campaign builds no ${shortText(reason.kind, 30)}`;
    case 'volume-unknown':
      return `${shortText(reason.volumeId, 60)}: ${configurationReasonText(reason.reason)}`;
    case 'no-volume-with-load':
      return 'none of its volumes had any load';
    case 'on-outpost':
      return 'a campaign runs in the Region, not on an Outpost';
    case 'too-many-volumes':
      return `it is about ${counted(reason.volumes, 'volume')}, and a host of a campaign takes ${reason.most}`;
    case 'volumes-not-alike':
      return 'its volumes with load are not configured alike; take a finding of one of them';
    case 'members-not-alike':
      return 'its members are not configured alike; give them the same figures first';
    case 'no-instance-type-recommended':
      return 'its instance type, or the recommended one, is not known';
    case 'no-configuration-recommended':
      return 'no other configuration is recommended';
    case 'not-on-nitro':
      return `a campaign runs on Nitro instances, and ${shortText(reason.instanceType, 30)} is none`;
    case 'no-host-type':
      return `no Nitro instance type with a known price in ${reason.region} carries the load of its volumes`;
    case 'no-load':
      return 'it had no load';
    case 'reads-unknown':
      return 'how many of its operations were reads is not known';
    case 'no-common-periods':
      return `its volumes have no common periods: ${noCommonTimeText(reason.reason)}`;
    case 'bytes-unknown':
      return 'the size of its operations is not known';
    case 'load-not-read':
      return 'the load of some of its volumes was not read';
  }
}

const demandWords: Readonly<
  Record<NonNullable<BenchedFinding['observed']['demandUnknownReason']>['code'], string>
> = {
  'hidden-by-averages': 'averages do not show how far above the limit it was',
  'no-figures': 'there are no figures of it',
};

/** "its demand is unknown: averages do not show how far above the limit it was". */
export const demandUnknownText = ({
  code,
}: NonNullable<BenchedFinding['observed']['demandUnknownReason']>): string =>
  `its demand is unknown (${demandWords[code]})`;

export const inFlightSourceWords: Readonly<
  Record<NonNullable<BenchedFinding['observed']['underWayBy']>, string>
> = { 'queue-length': 'its queue length', 'rate-and-latency': 'its rate and latency' };

const measuredOn = (to: string, which: string): string =>
  `Measured on ${to}, the cheapest Nitro type that ${which}`;
const noLess = 'has no less';
const carries = 'carries the load of the volumes';

export function planNoteText(note: PlanNote): string {
  switch (note.code) {
    case 'instance-limits-unknown':
    case 'instance-is-limit':
      return campaignNoteText(note);
    case 'measured-as-one-stripe':
      return 'Its volumes are measured as one stripe, which spreads the load evenly over them.';
    case 'stripe-assumed':
      return 'How its volumes are joined is unknown: a stripe is assumed.';
    case 'chunk-assumed':
      return `Its chunk size is unknown: ${note.chunkKiB} KiB are assumed.`;
    case 'host-not-nitro':
      return `${measuredOn(note.to, noLess)}: ${shortText(note.from, 30)} is not on Nitro.`;
    case 'host-type-not-in-region':
      return `${measuredOn(note.to, carries)}: ${shortText(note.from, 30)} is not known in ${note.region}.`;
    case 'host-type-unknown':
      return `${measuredOn(note.to, carries)}: the type of its instance is not known.`;
    case 'access-assumed':
      return note.access === 'random'
        ? 'CloudWatch does not distinguish random from sequential: random is assumed.'
        : 'CloudWatch does not distinguish random from sequential: sequential is assumed, which is what HDD volumes are for.';
    case 'array-overhead':
      return `Its volumes carried the ${note.kind === 'raid5' ? 'parity' : 'copies'} of ${note.kind} too: the load is worked out as if all writes were small.`;
    case 'demand-unknown':
      return `As many operations as go are measured: ${demandUnknownText(note.reason)}.`;
    case 'piled-up':
      return `${figure(note.inFlight, 0)} operations in flight are a backlog: ${figure(note.taken, 0)} are measured, which keep any volume busy.`;
    case 'in-flight-unknown':
      return `How many operations were in flight is unknown: ${figure(note.taken, 0)} are assumed.`;
    case 'credits-spent-first':
      return 'Burst credits are spent first: the volumes of today are measured without them.';
    case 'one-load-repeated':
      return 'One load is repeated on new volumes of a host of their own. The cache of the application, other users of its host and changes of load are not in it.';
    case 'other-region':
      return `Measured in ${note.region}, where the campaign runs; the finding is in ${shortText(note.findingRegion, 30)}.`;
  }
}

const msText = (ms: number): string => `${figure(ms, ms < 1 ? 2 : 1)} ms`;

function latencyText({ current, recommended }: Validation): string {
  if (recommended.p95Ms === null) return '';
  const instead = current.p95Ms === null ? '' : ` instead of ${msText(current.p95Ms)}`;
  return `, 95 % within ${msText(recommended.p95Ms)}${instead}`;
}

/** "Validated 22 Nov 13:00 UTC (campaign bench-1): 12,000 IOPS instead of 3,000, 95 % within 1.2 ms instead of 5.3 ms." */
export function validationText(validation: Validation): string {
  const { isValidated, gradedAt, campaignId, label, current, recommended } = validation;
  const about = label === null ? '' : ` Label: ${shortText(label, 200)}.`;
  return `${isValidated ? 'Validated' : 'Not validated'} ${timeText(gradedAt)} (campaign ${shortText(campaignId, 64)}): ${figure(recommended.iops, 0)} IOPS instead of ${figure(current.iops, 0)}${latencyText(validation)}.${about}`;
}
