/**
 * Which instances and volumes campaigns have launched, in the names of small objects: one listing says all of them, with no call
 * for each campaign. Hosts cannot write there, and a tag, which anybody can write, says nothing.
 */

const separator = '_';

/** Apart from campaigns/, in which hosts write their results. */
export const benchmarkHostsFolder = 'campaign-hosts/';

export const benchmarkHostsIn = (region: string): string => `${benchmarkHostsFolder}${region}/`;

/**
 * Written when EC2 answers a launch, with the instance alone, and again when its volumes are known.
 * @param volumeIds of its root volume too; 26 of them at most, which with the instance are 650 of the 1,024 bytes of a key.
 */
export const benchmarkHostKey = (
  region: string,
  instanceId: string,
  volumeIds: readonly string[] = [],
): string => `${benchmarkHostsIn(region)}${[instanceId, ...volumeIds].join(separator)}`;

export interface BenchmarkHosts {
  instanceIds: ReadonlySet<string>;
  volumeIds: ReadonlySet<string>;
}

export const noHosts: BenchmarkHosts = { instanceIds: new Set(), volumeIds: new Set() };

/** @param keys below `benchmarkHostsIn` of one Region. */
export function benchmarkHostsOf(keys: readonly string[]): BenchmarkHosts {
  const ids = keys.flatMap((key) => key.slice(key.lastIndexOf('/') + 1).split(separator));
  return {
    instanceIds: new Set(ids.filter((id) => id.startsWith('i-'))),
    volumeIds: new Set(ids.filter((id) => id.startsWith('vol-'))),
  };
}
