/** The evidence of a finding as people read it: what each figure is, with its unit, in groups that belong together. */
import { figure, usdText } from '../../core/figures.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { type EvidenceGroup, type EvidenceKey, evidenceNames } from './evidence-names.ts';

type Evidence = Finding['evidence'];
type Value = Evidence[string];

export interface EvidenceLine {
  label: string;
  /** One text, or ids and sentences one after the other. */
  text: string | string[];
  isKnown: boolean;
}

export interface EvidencePart {
  group: EvidenceGroup;
  lines: EvidenceLine[];
}

const isNamed = (key: string): key is EvidenceKey => Object.hasOwn(evidenceNames, key);

const acronyms: Readonly<Record<string, string>> = {
  ...{ iops: 'IOPS', mibps: 'MiB/s', gib: 'GiB', mib: 'MiB', kib: 'KiB', usd: 'USD', ms: 'ms', ebs: 'EBS' },
  ...{ io: 'I/O', id: 'id', ids: 'ids', aws: 'AWS' },
};

/** throughputMiBpsOfAll: throughput MiB/s of all. */
export function wordsOfKey(key: string): string {
  const words = key
    .replaceAll('MiBps', 'Mibps')
    .replaceAll(/([KMG])iB/g, '$1ib')
    .split(/(?=[A-Z])|_|(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
  // Single letters that follow each other were one word in capitals.
  const text = words.map((word) => acronyms[word] ?? word).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const units: readonly (readonly [RegExp, (value: number, evidence: Evidence) => string])[] = [
  [/Usd$/, usdText],
  [
    /^burstRate/,
    (value, { burstUnit }) => `${figure(value, 1)} ${typeof burstUnit === 'string' ? burstUnit : ''}`,
  ],
  [/PerSecond$/, (value, { unit }) => `${figure(value, 1)} ${typeof unit === 'string' ? unit : 'a second'}`],
  [/MiBps/, (value) => `${figure(value, 1)} MiB/s`],
  [/Iops/i, (value) => `${figure(value, 0)} IOPS`],
  [/GiB$/, (value) => `${figure(value, 0)} GiB`],
  [/[a-z]Ms($|[A-Z])/, (value) => `${figure(value, 2)} ms`],
  [/Percent$/, (value) => `${figure(value, 1)} %`],
  [/DeviationPoints$/, (value) => `${figure(value, 1)} percentage points`],
  [/share$/i, (value) => `${figure(100 * value, 0)} %`],
  [/Minutes|Minute$/, (value) => `${figure(value, 1)} min`],
  [/hours$/i, (value) => `${figure(value, 1)} h`],
  [/seconds/i, (value) => `${figure(value, 1)} s`],
  [/^times/, (value) => `${figure(value, 1)} times`],
];

function numberText(key: string, value: number, evidence: Evidence): string {
  const unit = units.find(([pattern]) => pattern.test(key));
  return unit === undefined ? figure(value, 2) : unit[1](value, evidence).trimEnd();
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

const values: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bindingLimit: { iops: 'IOPS', throughput: 'throughput', 'iops+throughput': 'IOPS and throughput together' },
  decidedBy: {
    check: "AWS's own check that its limit was exceeded",
    balance: 'its burst balance',
    'busy-rate': 'the rate while it was busy',
  },
  stripeEvidence: {
    host: 'what the host says',
    tag: 'a tag on each',
    inferred: 'their load: they look like one',
  },
  balance: { published: 'as AWS published it', modelled: 'modelled from the load' },
};

function textOf(key: string, value: Value, evidence: Evidence): string | string[] {
  if (value === null) return 'not known';
  if (typeof value === 'number') return numberText(key, value, evidence);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value;
  const said = values[key];
  if (said !== undefined && Object.hasOwn(said, value)) return said[value] as string;
  return isoTime.test(value) ? `${value.slice(0, 16).replace('T', ' ')} UTC` : value;
}

/** Where there is no reason or no oddity, there is nothing to tell. */
const isNothing = (key: string, value: Value): boolean =>
  (value === null && /Because$|^balanceDisagreement$|^otherFigures$|^rhythm$|ByRhythm$/.test(key)) ||
  (Array.isArray(value) &&
    value.length === 0 &&
    /^(alike|unlikeMembers|volumesLeftOut|volumesNotLowered)$/.test(key));

/** All that is in the evidence, in groups; what has no name of its own is named by its key. */
export function evidenceParts(evidence: Evidence): EvidencePart[] {
  const parts = new Map<EvidenceGroup, EvidenceLine[]>();
  const order = Object.keys(evidenceNames);
  const place = (key: string): number => (isNamed(key) ? order.indexOf(key) : order.length);
  const keys = Object.keys(evidence).sort((a, b) => place(a) - place(b));
  for (const key of keys) {
    const value = evidence[key] as Value;
    if (isNothing(key, value)) continue;
    const [group, label] = isNamed(key) ? evidenceNames[key] : (['Also', wordsOfKey(key)] as const);
    const lines = parts.get(group) ?? [];
    lines.push({ label, text: textOf(key, value, evidence), isKnown: value !== null });
    parts.set(group, lines);
  }
  return [...parts].map(([group, lines]) => ({ group, lines }));
}
