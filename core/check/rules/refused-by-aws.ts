/** What AWS refuses: a size, IOPS or throughput that the type does not have, a volume that shrinks, a type that cannot be there. */

import { known } from '../../known.ts';
import {
  gp3Figures,
  isHdd,
  isVolumeType,
  provisionedFigures,
  sizeBoundsGiB,
  ssdMiBPerIo,
  topIops,
  type VolumeConfiguration,
} from '../../limits/volume-limits.ts';
import type { CheckFacts, CheckFigures, CheckWayOut } from '../../schemas/check-answer.ts';
import {
  type CheckedVolume,
  configurationOf,
  figuresOfConfiguration,
  figuresText,
  refusalOf,
  shrinkOf,
} from '../checked-volume.ts';
import { findingOf, type RuleFinding, setVolume, volumeRule } from './rule.ts';

const within = (value: number | undefined, least: number, most: number): number =>
  value === undefined || Number.isNaN(value) ? least : Math.min(most, Math.max(least, Math.round(value)));

function sizeFor({ volumeType, sizeGiB, deployment }: VolumeConfiguration): number {
  const { min, max } = sizeBoundsGiB[volumeType];
  const most = volumeType === 'gp3' ? Math.min(max, gp3Figures[deployment].maxSizeGiB) : max;
  return within(sizeGiB, min, most);
}

/** Legal figures of the same type: lowered to what the size allows, and, where that is less than asked, with a size that allows it. */
function nearestLegal(config: VolumeConfiguration): VolumeConfiguration[] {
  const { volumeType, deployment } = config;
  const sized = { volumeType, deployment, sizeGiB: sizeFor(config) };
  if (volumeType === 'gp3') {
    const { freeIops, freeMiBps, iopsPerGiB } = gp3Figures;
    const { maxIops, maxMiBps, maxSizeGiB } = gp3Figures[deployment];
    const throughputMiBps = within(config.throughputMiBps ?? freeMiBps, freeMiBps, maxMiBps);
    const asked = within(config.iops ?? freeIops, freeIops, maxIops);
    const iops = Math.max(asked, throughputMiBps / ssdMiBPerIo);
    const top = topIops(sized) ?? maxIops;
    if (iops <= top) return [{ ...sized, iops, throughputMiBps }];
    const lowered = { iops: top, throughputMiBps: Math.min(throughputMiBps, Math.floor(top * ssdMiBPerIo)) };
    const sizeGiB = Math.min(maxSizeGiB, Math.ceil(iops / iopsPerGiB));
    return [
      { ...sized, ...lowered },
      { ...sized, sizeGiB, iops, throughputMiBps },
    ];
  }
  if (volumeType !== 'io1' && volumeType !== 'io2') return [sized];
  const { iopsPerGiB, minIops, maxIops } = provisionedFigures[volumeType];
  const asked = within(config.iops ?? gp3Figures.freeIops, minIops, maxIops);
  const top = Math.min(maxIops, iopsPerGiB * sized.sizeGiB);
  if (asked <= top) return [{ ...sized, iops: asked }];
  return [
    { ...sized, iops: top },
    { ...sized, sizeGiB: Math.ceil(asked / iopsPerGiB), iops: asked },
  ];
}

/** Of a size that is not known the largest: what EBS refuses of that it refuses of any. */
function askedOf(volume: CheckedVolume) {
  const { figures } = volume;
  const { volumeType, sizeGiB } = figures;
  const config = configurationOf(figures);
  if (config.known || sizeGiB.known || !volumeType.known || !isVolumeType(volumeType.value))
    return { config, isSizeKnown: true };
  const largest = known(sizeBoundsGiB[volumeType.value].max);
  return { config: configurationOf({ ...figures, sizeGiB: largest }), isSizeKnown: false };
}

const only = (config: VolumeConfiguration, isSizeKnown: boolean): CheckFigures => ({
  ...figuresOfConfiguration(config),
  ...(isSizeKnown ? {} : { sizeGiB: null }),
});

const refused = (volume: CheckedVolume, facts: CheckFacts, wayOut: CheckWayOut[]): RuleFinding =>
  findingOf('refused-by-aws', volume, 'critical', facts, wayOut);

const io2 = (figures: CheckFigures): CheckFigures => {
  const sizeGiB = Math.max(sizeBoundsGiB.io2.min, figures.sizeGiB ?? sizeBoundsGiB.io2.min);
  const { minIops, maxIops, iopsPerGiB } = provisionedFigures.io2;
  const iops = within(figures.iops ?? gp3Figures.freeIops, minIops, Math.min(maxIops, iopsPerGiB * sizeGiB));
  return {
    volumeType: 'io2',
    sizeGiB: figures.sizeGiB === null ? null : sizeGiB,
    iops,
    throughputMiBps: null,
  };
};

/** Types that are legal by themselves, and not there. */
function misplaced(volume: CheckedVolume, volumeType: string): RuleFinding[] {
  const figures = figuresText(volume.figures);
  const gp3 = { volumeType: 'gp3', sizeGiB: figures.sizeGiB, iops: null, throughputMiBps: null };
  if (volume.isRoot && isVolumeType(volumeType) && isHdd(volumeType))
    return [refused(volume, { code: 'boot-volume-type', volumeType }, [setVolume(volume, gp3, null)])];
  if (volume.isMultiAttach && volumeType !== 'io1' && volumeType !== 'io2')
    return [
      refused(volume, { code: 'multi-attach-type', volumeType }, [setVolume(volume, io2(figures), null)]),
    ];
  return [];
}

export const refusedByAws = volumeRule('refused-by-aws', (volume) => {
  // What stands was not refused.
  if (volume.action === 'none') return [];
  const { volumeType, sizeGiB } = volume.figures;
  if (!volumeType.known) return volumeType.reason;
  const figures = figuresText(volume.figures);
  if (!isVolumeType(volumeType.value)) {
    const gp3 = { ...figures, volumeType: 'gp3', iops: null, throughputMiBps: null };
    const size = figures.sizeGiB;
    const legal = { ...gp3, sizeGiB: size === null ? null : within(size, 1, gp3Figures.region.maxSizeGiB) };
    return [
      refused(volume, { code: 'no-such-volume-type', volumeType: volumeType.value }, [
        setVolume(volume, legal, null),
      ]),
    ];
  }
  const elsewhere = misplaced(volume, volumeType.value);
  if (elsewhere.length > 0) return elsewhere;
  const shrink = shrinkOf(volume);
  if (shrink !== null) {
    const kept = setVolume(volume, { ...figures, sizeGiB: shrink.fromGiB }, null);
    return [refused(volume, { code: 'volume-shrinks', ...shrink }, [kept])];
  }
  const { config, isSizeKnown } = askedOf(volume);
  if (!config.known) return config.reason;
  const reason = refusalOf(config.value);
  if (reason === null) {
    // Of a class the size is the claim's.
    return isSizeKnown || volume.kind === 'class' || sizeGiB.known ? [] : sizeGiB.reason;
  }
  const legal = nearestLegal(config.value).map((one) => setVolume(volume, only(one, isSizeKnown), null));
  const facts = { code: 'configuration-refused' as const, figures: only(config.value, isSizeKnown), reason };
  return [refused(volume, facts, isSizeKnown ? legal : legal.slice(0, 1))];
});
