/** The tags that say where a finding is reported: of its volume or instance; of a stripe those that all its members share. */
import type { Instance, Tags, Volume } from '../inventory.ts';
import { type Finding, volumeIdsOf } from '../schemas/finding.ts';

function shared(all: readonly Tags[]): Tags {
  const [first = {}, ...others] = all;
  return Object.fromEntries(
    Object.entries(first).filter(([key, value]) => others.every((tags) => tags[key] === value)),
  );
}

export function withTags(
  findings: readonly Finding[],
  volumes: readonly Volume[],
  instances: readonly Instance[],
): Finding[] {
  const ofVolume = new Map(volumes.map(({ volumeId, tags }) => [volumeId, tags]));
  const ofInstance = new Map(instances.map(({ instanceId, tags }) => [instanceId, tags]));
  const tagsOf = (finding: Finding): Tags => {
    const { type, id } = finding.resource;
    if (type === 'instance') return ofInstance.get(id) ?? {};
    return shared(volumeIdsOf(finding).map((id) => ofVolume.get(id) ?? {}));
  };
  return findings.map((finding) => {
    const tags = tagsOf(finding);
    const { resource } = finding;
    return Object.keys(tags).length === 0 ? finding : { ...finding, resource: { ...resource, tags } };
  });
}
