/**
 * What is reported as events for EventBridge, in batches as PutEvents takes them: 10 entries, and less than 1 MB in all. Source: AWS,
 * "Sending events with PutEvents", read 2026-11-23. Who gets an event twice knows it by `changeId`.
 */
import { resourceArns } from '../../core/diagnosis/draft.ts';
import type { ChangeMessage } from '../../core/schemas/change-message.ts';
import type { Digest } from '../../core/schemas/digest.ts';
import type { Notification, NotifiedFinding } from '../../core/schemas/notification.ts';
import { changeIdOf, plainIdOf } from '../change.ts';
import { changeLines } from '../wording/changes.ts';
import { blockLines } from '../wording/message.ts';
import { jsonWithin } from './within-bytes.ts';

export interface EventEntry {
  source: 'stripewise';
  detailType: string;
  /** JSON. */
  detail: string;
  resources: string[];
}

const most = {
  entries: 10,
  batchBytes: 1_000_000,
  /** An event may go on to where 256 KiB is all: SNS, and e-mail. */
  detailBytes: 200_000,
  /** Of the findings of a digest. */
  findingBytes: 8_000,
  findings: 20,
} as const;

const source = 'stripewise';
const detailVersion = 2;

/** What identifies it is short; only a document that is all tags or all keys would have no shorter form. */
const detailOf = (identity: object, more: object): string =>
  jsonWithin({ ...identity, ...more }, most.detailBytes) ??
  JSON.stringify({ ...identity, isShortened: true });

function findingEntry(notification: Notification, finding: NotifiedFinding): EventEntry {
  const { madeAt, run } = notification;
  const { change, ...rest } = finding;
  const identity = {
    version: detailVersion,
    changeId: changeIdOf(notification, finding),
    notificationId: plainIdOf(notification.id),
    findingId: plainIdOf(finding.id),
    change,
    severity: finding.severity,
    kind: finding.kind,
  };
  return {
    source,
    detailType: `stripewise finding ${change}`,
    detail: detailOf(identity, {
      ...{ madeAt, runId: run?.runId ?? null, lines: blockLines(finding) },
      finding: rest,
    }),
    resources: resourceArns(finding.resource),
  };
}

/** What the notification itself had no room for is said too. */
const leftOutEntry = ({ id, madeAt, notShown }: Notification): EventEntry => ({
  source,
  detailType: 'stripewise findings left out',
  detail: detailOf(
    {
      version: detailVersion,
      changeId: plainIdOf(`${id}:left-out`),
      notificationId: plainIdOf(id),
      notShown,
    },
    { madeAt },
  ),
  resources: [],
});

const bytesOf = (entry: EventEntry): number =>
  [entry.source, entry.detailType, entry.detail, ...entry.resources].reduce(
    (bytes, text) => bytes + Buffer.byteLength(text, 'utf8'),
    0,
  );

function batched(entries: readonly EventEntry[]): EventEntry[][] {
  const batches: EventEntry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const more = bytesOf(entry);
    const batch = batches.at(-1);
    if (batch !== undefined && batch.length < most.entries && bytes + more <= most.batchBytes) {
      batch.push(entry);
      bytes += more;
    } else {
      batches.push([entry]);
      bytes = more;
    }
  }
  return batches;
}

/** An event for each finding that changed, in the order in which they are reported. */
export const eventEntries = (notification: Notification): EventEntry[][] =>
  batched([
    ...notification.notified.map((finding) => findingEntry(notification, finding)),
    ...(notification.notShown === 0 ? [] : [leftOutEntry(notification)]),
  ]);

export function eventDigest(digest: Digest): EventEntry[][] {
  const { id, first, notShown, ...figures } = digest;
  const shown = first
    .slice(0, most.findings)
    .map((finding) => jsonWithin(finding, most.findingBytes))
    .filter((json) => json !== null);
  const more = {
    ...figures,
    first: shown.map((json): unknown => JSON.parse(json)),
    notShown: notShown + first.length - shown.length,
  };
  const detail = detailOf({ version: detailVersion, changeId: plainIdOf(id) }, more);
  return [[{ source, detailType: 'stripewise digest', detail, resources: [] }]];
}

/** A step of a change of a volume. */
export function eventChange({ type: _, version: __, id, ...more }: ChangeMessage): EventEntry[][] {
  const { region, account, volumeId } = more.change.plan;
  const identity = { version: detailVersion, changeId: plainIdOf(id), step: more.step };
  return [
    [
      {
        ...{ source, detailType: `stripewise change ${more.step.replace('-', ' ')}` },
        detail: detailOf(identity, { lines: changeLines(more.change, more), ...more }),
        resources: resourceArns({ type: 'volume', id: volumeId, region, account }),
      },
    ],
  ];
}
