/** gp2, where gp3 with what the gp2 can do at its best costs less: by as much as the audit asks of another type. */

import { isPriced, roundUsd } from '../../prices/prices.ts';
import { bestOf, inPlace } from '../../recommendations/candidates.ts';
import { figuresOfConfiguration, figuresText } from '../checked-volume.ts';
import { copiesOf, findingOf, setVolume, volumeRule } from './rule.ts';

export const gp2ToGp3 = volumeRule('gp2-to-gp3', (volume, { offers, thresholds }) => {
  const { volumeType, sizeGiB, deployment } = volume.figures;
  if (!volumeType.known) return volumeType.reason;
  if (volumeType.value !== 'gp2' || volume.isOfClass || deployment === 'outposts') return [];
  const offer = offers.of(volume.region);
  const figures = figuresText(volume.figures);
  if (volume.kind === 'class' || !sizeGiB.known) {
    const { gp2, gp3 } = offer.ranking.storagePerGiB;
    if (gp2 === null || gp3 === null || gp3 >= gp2) return [];
    const to = { volumeType: 'gp3', sizeGiB: null, iops: null, throughputMiBps: null };
    const facts = { code: 'gp2' as const, figures, now: null };
    return [findingOf('gp2-to-gp3', volume, 'info', facts, [setVolume(volume, to, null)])];
  }
  if (!volume.now.known) return volume.now.reason;
  const { config, limits } = volume.now.value;
  if (!isPriced('gp2', offer.ranking)) return [];
  const best = bestOf({ limits });
  const cheaper = inPlace({ config, limits, prices: offer.ranking }, 'gp3', best);
  const saved = roundUsd(((offer.rankUsd([config]) ?? 0) - (cheaper?.monthlyUsd ?? 0)) * copiesOf(volume));
  if (cheaper === null || (copiesOf(volume) > 0 && saved < thresholds.cheaperTypeUsd)) return [];
  const { iops, throughputMiBps } = cheaper.layout;
  const to = { ...config, volumeType: 'gp3' as const, iops, throughputMiBps };
  const difference = offer.difference([config], [to], copiesOf(volume));
  const isMuch = difference !== null && -difference >= thresholds.savingWarningUsd;
  return [
    findingOf('gp2-to-gp3', volume, isMuch ? 'warning' : 'info', { code: 'gp2', figures, now: best }, [
      setVolume(volume, figuresOfConfiguration(to), difference),
    ]),
  ];
});
