/**
 * Which instances and volumes campaigns have launched, in the names of small objects: one listing says all of them, with no call
 * for each campaign. Hosts cannot write there, and a tag, which anybody can write, says nothing.
 */

const separator = '_';

/** Apart from campaigns/, in which hosts write their results. */
export const recordedHostsFolder = 'campaign-hosts/';

export const recordedHostsIn = (region: string): string => `${recordedHostsFolder}${region}/`;

/**
 * Written when EC2 answers a launch, with the instance alone, and again when its volumes are known.
 * @param volumeIds of its root volume too; 26 of them at most, which with the instance are 650 of the 1,024 bytes of a key.
 */
export const recordedHostKey = (
  region: string,
  instanceId: string,
  volumeIds: readonly string[] = [],
): string => `${recordedHostsIn(region)}${[instanceId, ...volumeIds].join(separator)}`;

export interface RecordedHosts {
  instanceIds: ReadonlySet<string>;
  volumeIds: ReadonlySet<string>;
}

export const noHosts: RecordedHosts = { instanceIds: new Set(), volumeIds: new Set() };

/** @param keys below `recordedHostsIn` of one Region. */
export function recordedHostsOf(keys: readonly string[]): RecordedHosts {
  const ids = keys.flatMap((key) => key.slice(key.lastIndexOf('/') + 1).split(separator));
  return {
    instanceIds: new Set(ids.filter((id) => id.startsWith('i-'))),
    volumeIds: new Set(ids.filter((id) => id.startsWith('vol-'))),
  };
}
