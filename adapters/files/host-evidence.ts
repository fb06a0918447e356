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

/** By instance id, which is the name of the file. @throws BadInput, in one line, where a file is not such an answer. */
export function readHosts(paths: readonly string[]): Map<string, HostEvidence> {
  const hosts = new Map<string, HostEvidence>();
  for (const path of paths) {
    const instanceId = basename(path).replace(/(\.\w+)+$/, '');
    if (!isInstanceId(instanceId))
      throw new BadInput(`${path}: its name is no instance id: call it like i-0123456789abcdef0.json`);
    if (hosts.has(instanceId))
      throw new BadInput(`${path}: there is a file of ${instanceId} before it: give one for each instance`);
    const evidence = hostEvidence(readText(path, { maxMiB }).replace(/^\uFEFF/, ''));
    if (!evidence.known)
      throw new BadInput(
        `${path}: ${oddText(evidence.reason)}; expected what ssm-documents/describe-stripes/describe-stripes.sh prints on the host`,
      );
    hosts.set(instanceId, evidence.value);
  }
  return hosts;
}
