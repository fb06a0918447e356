/** What the check makes of one fixture, in the words of the expectations beside the tests. */
import { readPlanned } from '../../../adapters/infrastructure/infrastructure.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { check } from '../../../core/check/check.ts';
import { checkedOf } from '../../../core/check/checked.ts';
import type { Asked, AskedVolume, PlannedResource } from '../../../core/check/planned.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';

export interface Summary {
  seen: number;
  understood: number;
  notMade: number;
  /** `type count, ..`, most first. */
  unknown: string;
  unreadable: number;
  /** Of each volume, device, class and claim: type, GiB, IOPS, MiB/s; `-` is not set, `?` is not known. */
  figures: string[];
  /** `rule count, ..`, by name. */
  findings: string;
  /** `figure why`, or the code of another reason, with how often. */
  notChecked: string;
}

const shown = (asked: Asked<string | number>): string => {
  if (!asked.known) return `? ${asked.reason.code}`;
  return asked.value === null ? '-' : String(asked.value);
};

const volumeText = ({ volumeType, sizeGiB, iops, throughputMiBps }: AskedVolume): string =>
  [volumeType, sizeGiB, iops, throughputMiBps].map(shown).join(' | ');

function figuresOf(resource: PlannedResource): string[] {
  const { address, kind } = resource;
  if (kind === 'volume' || kind === 'storage-class' || kind === 'volume-attributes-class')
    return [`${address}: ${volumeText(resource.asked)}`];
  if (kind === 'claim') {
    const { storageClass, sizeGiB, copies } = resource;
    return [`${address}: ${shown(sizeGiB)} GiB x ${shown(copies)} of ${storageClass?.id ?? '-'}`];
  }
  if (kind === 'attachment')
    return [`${address}: ${resource.volume.address ?? resource.volume.id} on ${resource.instance.address}`];
  const { devices, launchTemplate } = { launchTemplate: null, ...resource };
  const of = launchTemplate === null ? '' : ` of ${launchTemplate.address ?? launchTemplate.id ?? '?'}`;
  const what = kind === 'auto-scaling-group' ? `${shown(resource.copies)} x` : shown(resource.instanceType);
  return [
    `${address}: ${what}${of}`,
    ...devices.map(({ device, asked }) => `${address} ${device ?? 'root'}: ${volumeText(asked)}`),
  ];
}

const counted = (names: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const name of [...names].sort()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
};

/** @param path of a file or a cdk.out. Prices are those of us-east-1 where the file names no Region. */
export function summaryOf(path: string): Summary {
  const planned = readPlanned([path]);
  const { findings, notChecked } = check(planned, checkedOf(planned, 'us-east-1'), {
    regionCatalogs: builtInRegionCatalog,
    thresholds: defaultThresholds,
    loadClass: 'database',
    changedOnly: false,
    measured: null,
  });
  const { seen, understood, notMade, unknown, unreadable } = planned.coverage;
  return {
    ...{ seen, understood, notMade },
    unknown: unknown.map(({ type, count }) => `${type} ${count}`).join(', '),
    unreadable: unreadable.length,
    figures: planned.resources.flatMap(figuresOf),
    findings: counted(findings.map(({ rule }) => rule)),
    notChecked: counted(
      notChecked.map(({ reason }) =>
        reason.code === 'figure-unknown' ? `${reason.figure} ${reason.why}` : reason.code,
      ),
    ),
  };
}
