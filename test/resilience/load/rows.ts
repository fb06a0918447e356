/** What was measured of a run as rows of a table: what, its limit, what was seen. */
import type { Outcome } from '../outcome-table.ts';
import type { MeasuredRun } from './deployment.ts';
import { fleetSize } from './fleet.ts';

/** Of all but who makes the page, with a whole core and the memory that goes with it, and who draws pictures. */
const mostMemoryMiB = 512;
const mostMemoryByName: Record<string, number> = { 'write-report': 1_769, 'deliver-messages': 1_024 };
const mostMemoryOf = (name: string): number => mostMemoryByName[name] ?? mostMemoryMiB;
/** Step Functions: 256 KiB for an input or a result, 25,000 events for an execution; SNS: 256 KiB for a message. */
const maxPayloadBytes = 262_144;
const maxEvents = 25_000;
/** Each takes part in a run, or lives on from the one before. */
const functions = [
  'collect-findings',
  'deliver-messages',
  'discover-volumes',
  'draw-dashboard',
  'evaluate-batch',
  'list-targets',
  'notify-findings',
  'refresh-catalog',
  'write-report',
];

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const text = (value: number): string => number.format(value);

export const limited = (
  run: string,
  what: string,
  limit: number,
  measured: number,
  unit: string,
): Outcome => ({
  what: [run, what],
  expected: `under ${text(limit)} ${unit}`,
  seen: `${text(measured)} ${unit}`,
  asExpected: measured < limit,
});

const notified = (run: string, what: string, seen: string): Outcome => ({
  what: [run, what],
  expected: '',
  seen,
  asExpected: true,
});

/** A function stays below what it is configured to have, and below what it may have. */
export function rowsOf(run: string, ran: MeasuredRun): Outcome[] {
  const { memory, histories, stored, published, result, seconds } = ran;
  const { largest, largestOfAChild, events, maxEventsOfAChild } = histories;
  const { cost } = result ?? {};
  return [
    { what: [run, 'ends'], expected: 'SUCCEEDED', seen: ran.status, asExpected: ran.status === 'SUCCEEDED' },
    ...memory.map(({ name, configuredMiB, peakMiB }) =>
      limited(run, `memory of ${name}`, Math.min(mostMemoryOf(name), configuredMiB), peakMiB, 'MiB'),
    ),
    equals(run, 'functions measured', functions, memory.map(({ name }) => name).sort()),
    limited(run, `largest payload: ${largest.what}`, maxPayloadBytes, largest.bytes, 'bytes'),
    limited(run, `of a batch: ${largestOfAChild.what}`, maxPayloadBytes, largestOfAChild.bytes, 'bytes'),
    limited(run, 'events of the execution', maxEvents, events, 'events'),
    limited(run, 'events of a batch, at most', maxEvents, maxEventsOfAChild, 'events'),
    ...published.map((bytes) => limited(run, 'message to SNS', maxPayloadBytes, bytes, 'bytes')),
    notified(
      run,
      'batches',
      `${histories.children}, ${text(fleetSize / Math.max(1, histories.children))} volumes each`,
    ),
    notified(run, 'state transitions', text(histories.transitions)),
    notified(run, 'duration', `${text(seconds)} s`),
    notified(run, 'in S3', `${stored.objects} objects, ${text(stored.bytes / 1e6)} MB`),
    notified(run, 'largest object', `${stored.largest.key}: ${text(stored.largest.bytes / 1e6)} MB`),
    notified(
      run,
      'read',
      `${text(cost?.metricsRequested ?? 0)} metrics in ${text(cost?.apiCalls ?? 0)} calls, USD ${cost?.usd}`,
    ),
  ];
}

export const equals = (run: string, what: string, expected: unknown, seen: unknown): Outcome => ({
  what: [run, what],
  expected: JSON.stringify(expected),
  seen: JSON.stringify(seen),
  asExpected: JSON.stringify(expected) === JSON.stringify(seen),
});
