/** What hosts said of how their volumes are joined, one file an instance: the output of describe-stripes. */
import { basename } from 'node:path';
import { BadInput } from '../../core/errors.ts';
import { isInstanceId } from '../../core/ids.ts';
import { type HostEvidence, hostEvidence } from '../../core/stripes/host-evidence.ts';
import type { HostReason } from '../../core/stripes/host-report.ts';
import { readText } from './read-file.ts';

/** A host with all volumes that it can have says less than a thousandth of it. */
const maxMiB = 16;

function oddText(reason: HostReason): string {
  switch (reason.code) {
    case 'lsblk-failed':
      return reason.text;
    case 'lsblk-unreadable':
      return 'lsblk did not print what can be read';
    case 'answer-too-large':
      return `its devices take ${reason.characters} characters, and Run Command hands over ${reason.most}`;
    default:
      return 'its answer is not the document that the script prints';
  }
}

/**
 * Several answers of one host are told apart by when they read its volumes: the newest says how these are joined.
 * @throws BadInput where one has no such time, or two have the same.
 */
function together(path: string, instanceId: string, before: HostEvidence, other: HostEvidence): HostEvidence {
  const readings = [...(before.readings ?? []), ...(other.readings ?? [])];
  const times = new Set(readings.map(({ epochSeconds }) => epochSeconds));
  if (before.readings === undefined || other.readings === undefined || times.size < readings.length)
    throw new BadInput(
      `${path}: there is a file of ${instanceId} before it, and which is newer is not known: give one for each instance, or several that have NVMe statistics of different times`,
    );
  const newest = Math.max(...times);
  const isNewer = other.readings.some(({ epochSeconds }) => epochSeconds === newest);
  return {
    ...(isNewer ? other : before),
    readings: readings.sort((a, b) => a.epochSeconds - b.epochSeconds),
  };
}

/**
 * By instance id, which is the name of the file; several files of one in whatever order.
 * @throws BadInput, in one line, where a file is not such an answer.
 */
export function readHosts(paths: readonly string[]): Map<string, HostEvidence> {
  const hosts = new Map<string, HostEvidence>();
  for (const path of paths) {
    const instanceId = basename(path).replace(/(\.\w+)+$/, '');
    if (!isInstanceId(instanceId))
      throw new BadInput(`${path}: its name is no instance id: call it like i-0123456789abcdef0.json`);
    const evidence = hostEvidence(readText(path, { maxMiB }).replace(/^\uFEFF/, ''));
    if (!evidence.known)
      throw new BadInput(
        `${path}: ${oddText(evidence.reason)}; expected what ssm-documents/describe-stripes/describe-stripes.sh prints on the host`,
      );
    const before = hosts.get(instanceId);
    hosts.set(
      instanceId,
      before === undefined ? evidence.value : together(path, instanceId, before, evidence.value),
    );
  }
  return hosts;
}
