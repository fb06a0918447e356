/** A change of type that lowers what a volume can do: of gp3 125 MiB/s are the default, where a gp2 has 250. */
import { provisioned } from '../../plan/layout.ts';
import { bestOf, sameSize } from '../../recommendations/candidates.ts';
import { type CheckedVolume, type Configured, figuresOfConfiguration } from '../checked-volume.ts';
import { copiesOf, findingOf, type RuleContext, setVolume, volumeRule } from './rule.ts';

/** Less is not noticed: a gp2 up to 170 GiB has 128 MiB/s, a gp3 125. */
const noticedShare = 0.05;

const isLower = (after: number, before: number): boolean => after < before * (1 - noticedShare);

/** The new type with what the volume can do today; the volume as it is where the type has no such volume of the new size. */
function wayOut(volume: CheckedVolume, from: Configured, to: Configured, { offers }: RuleContext) {
  const offer = offers.of(volume.region);
  const asFast = sameSize(to.config, to.config.volumeType, bestOf(from));
  const config = asFast === null ? from.config : provisioned(asFast, to.config.deployment);
  const difference = offer.difference([to.config], [config], copiesOf(volume));
  return setVolume(volume, figuresOfConfiguration(config), difference);
}

export const lowerThroughput = volumeRule('lower-throughput', (volume, context) => {
  const { before, configuredBefore, now, figures } = volume;
  if (configuredBefore === null || before === null || volume.action === 'none') return [];
  const [typeBefore, type] = [before.volumeType, figures.volumeType];
  if (typeBefore.known && type.known && typeBefore.value === type.value) return [];
  if (!configuredBefore.known) return configuredBefore.reason;
  if (!now.known) return now.reason;
  const [was, is] = [bestOf(configuredBefore.value), bestOf(now.value)];
  if (!isLower(is.throughputMiBps, was.throughputMiBps) && !isLower(is.iops, was.iops)) return [];
  const { iops, throughputMiBps } = figures;
  const facts = {
    code: 'lower-performance' as const,
    from: figuresOfConfiguration(configuredBefore.value.config),
    to: figuresOfConfiguration(now.value.config),
    before: was,
    after: is,
    isSet:
      (isLower(is.throughputMiBps, was.throughputMiBps) &&
        throughputMiBps.known &&
        throughputMiBps.value !== undefined) ||
      (isLower(is.iops, was.iops) && iops.known && iops.value !== undefined),
  };
  return [
    findingOf('lower-throughput', volume, 'warning', facts, [
      wayOut(volume, configuredBefore.value, now.value, context),
    ]),
  ];
});
