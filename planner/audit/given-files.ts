/** What somebody gave to be audited: which file is what, by what it holds; what is too large or no use, before it is read. */
import { namesIn } from '../../adapters/files/json-pieces.ts';
import { manifestPlace, metricsPlace } from '../../core/archive/keys.ts';
import { fewOf } from '../../core/few.ts';
import { figure } from '../../core/figures.ts';
import { sanitize } from '../../core/sanitize.ts';
import { bytesFromKiB, bytesPerMiB, mibFromBytes } from '../../core/units.ts';

/** By the member that says it. */
const kindByMember = {
  Volumes: 'volumes',
  Reservations: 'instances',
  MetricDataResults: 'metrics',
  VolumesModifications: 'modifications',
} as const;
export type FileKind = (typeof kindByMember)[keyof typeof kindByMember];

export const kindTexts: Record<FileKind, string> = {
  volumes: 'describe-volumes',
  instances: 'describe-instances',
  metrics: 'get-metric-data',
  modifications: 'describe-volumes-modifications',
};

/** What a file may have, also unpacked; and all of them together. */
export const maxFileMiB = 300;
export const maxTogetherMiB = 2_048;
/** The command line reads no larger text. */
const maxCommandLineMiB = 512;

/** How much of a file is looked at for what it is. */
export const beginningBytes = 256 * 1024;

const maxName = 80;
/** As it is shown, and as messages begin. */
export const shownName = (name: string): string => sanitize(name, maxName);

const bytesPerKiB = bytesFromKiB(1);

export function sizeText(bytes: number): string {
  if (bytes < bytesPerKiB) return `${figure(bytes, 0)} bytes`;
  return bytes < bytesPerMiB
    ? `${figure(bytes / bytesPerKiB, 1)} KiB`
    : `${figure(mibFromBytes(bytes), 1)} MiB`;
}

/** One line: what, why, what would be right. */
export function tooLarge(name: string, bytes: number): string | null {
  if (bytes <= maxFileMiB * bytesPerMiB) return null;
  const way =
    bytes <= maxCommandLineMiB * bytesPerMiB
      ? 'the command line can: stripewise audit --volumes volumes.json --metrics reply-*.json'
      : 'ask CloudWatch in smaller files (stripewise audit queries), which the command line takes: stripewise audit --volumes volumes.json --metrics reply-*.json';
  return `${name}: has ${sizeText(bytes)}, and this page reads at most ${maxFileMiB} MiB of a file; ${way}`;
}

const expected =
  'expected what `aws ec2 describe-volumes`, `describe-instances` or `aws cloudwatch get-metric-data` prints as JSON, or the directory of an archive';

function otherJson(name: string, members: readonly string[]): string {
  if (members.includes('findings') && members.includes('coverage'))
    return `${name}: is the result of an audit, and not what one is made from; ${expected}`;
  if (members.includes('MetricDataQueries'))
    return `${name}: is what CloudWatch is asked, and not its answer; give the file that the command writes`;
  if (members.includes('fio version')) return `${name}: is a result of fio; give it to "Grade fio"`;
  const shown = members.slice(0, 3).map((member) => `"${sanitize(member, 30)}"`);
  return `${name}: has ${fewOf(shown)}, and nothing that can be audited; ${expected}`;
}

const beginsWith = (bytes: Uint8Array, ...first: number[]): boolean =>
  first.every((byte, i) => bytes[i] === byte);

export const isGzip = (beginning: Uint8Array): boolean => beginsWith(beginning, 0x1f, 0x8b);

/**
 * @param beginning of the file, unpacked; it may be cut anywhere.
 * @returns what it is, or one line that says why it is no use.
 */
export function kindOf(name: string, beginning: Uint8Array): { kind: FileKind } | { problem: string } {
  if (beginning.length === 0) return { problem: `${name}: is empty; ${expected}` };
  if (beginsWith(beginning, 0xff, 0xfe) || beginsWith(beginning, 0xfe, 0xff))
    return { problem: `${name}: is UTF-16, as some shells of Windows write it; save it as UTF-8` };
  if (beginsWith(beginning, 0x50, 0x41, 0x52, 0x31))
    return { problem: `${name}: is one file of Parquet; give the directory of the whole archive` };
  const members = namesIn(beginning);
  const found = members.find((member) => Object.hasOwn(kindByMember, member));
  if (found !== undefined) return { kind: kindByMember[found as keyof typeof kindByMember] };
  return {
    problem: members.length > 0 ? otherJson(name, members) : `${name}: is no JSON object; ${expected}`,
  };
}

// An archive: a directory somewhere in what was given.

export interface GivenPath<F = File> {
  /** From what was chosen or dropped, with slashes. */
  path: string;
  file: F;
}

export interface FilesOfArchive<F = File> {
  /** Of its directory. */
  name: string;
  files: { key: string; file: F }[];
}

/** The place below which a path is a key of an archive; null where it is none of one. */
function rootOf(path: string): string | null {
  for (let at = path.indexOf('history/'); at >= 0; at = path.indexOf('history/', at + 1)) {
    if (at > 0 && path[at - 1] !== '/') continue;
    const key = path.slice(at);
    if (metricsPlace(key) !== null || manifestPlace(key) !== null) return path.slice(0, at);
  }
  return null;
}

/** Archives by where they are, and what else is there. */
export function archivesIn<F>(paths: readonly GivenPath<F>[]): {
  archives: FilesOfArchive<F>[];
  others: GivenPath<F>[];
} {
  const roots = new Map<string, FilesOfArchive<F>>();
  const others: GivenPath<F>[] = [];
  for (const given of paths) {
    const root = rootOf(given.path);
    if (root === null) {
      others.push(given);
      continue;
    }
    const archive = roots.get(root) ?? { name: shownName(root.replace(/\/$/, '') || 'archive'), files: [] };
    archive.files.push({ key: given.path.slice(root.length), file: given.file });
    roots.set(root, archive);
  }
  return { archives: [...roots.values()], others };
}

/** What is still to be given, and what does not go together; an audit can begin where nothing is missing. */
export type Missing = 'volumes' | 'metrics' | 'instances' | 'one-of-both' | 'one-archive' | 'too-much';

export function missingOf(
  kinds: readonly FileKind[],
  archives: number,
  bytesOfFiles: number,
): { missing: Missing[]; isReady: boolean } {
  const has = (kind: FileKind): boolean => kinds.includes(kind);
  const stops: Missing[] = [];
  if (!has('volumes')) stops.push('volumes');
  if (!has('metrics') && archives === 0) stops.push('metrics');
  if (has('metrics') && archives > 0) stops.push('one-of-both');
  if (archives > 1) stops.push('one-archive');
  if (bytesOfFiles > maxTogetherMiB * bytesPerMiB) stops.push('too-much');
  return { missing: has('instances') ? stops : [...stops, 'instances'], isReady: stops.length === 0 };
}
