/** gp2, where gp3 with what the gp2 can do at its best costs less: by as much as the audit asks of another type. */

import { gp3Figures, ssdMiBPerIo, topIops } from '../../limits/volume-limits.ts';
import { isPriced, roundUsd } from '../../prices/prices.ts';
import { bestOf, inPlace } from '../../recommendations/candidates.ts';
import {
  type CheckedVolume,
  type Configured,
  figuresOfConfiguration,
  figuresText,
} from '../checked-volume.ts';
import { copiesOf, findingOf, type RuleContext, type RuleFinding, setVolume, volumeRule } from './rule.ts';

interface ConfiguredClaim extends Configured {
  copies: number;
}

/** The claims of a class, where it is known what each of them is on gp2; else none. */
function configuredClaims({ kind, claims }: CheckedVolume): ConfiguredClaim[] {
  if (kind !== 'class') return [];
  const all = claims.map((claim) =>
    claim.now.known && claim.now.value.config.volumeType === 'gp2'
      ? { ...claim.now.value, copies: copiesOf(claim) }
      : null,
  );
  return all.includes(null) ? [] : all.filter((one) => one !== null);
}

/** A class has one set of figures: what its largest claim can do at its best. Each of the others pays for as much of it as its size allows. */
function ofClaims(
  volume: CheckedVolume,
  claims: readonly ConfiguredClaim[],
  { offers, thresholds }: RuleContext,
): RuleFinding[] {
  const offer = offers.of(volume.region);
  if (!isPriced('gp2', offer.ranking) || !isPriced('gp3', offer.ranking)) return [];
  const best = {
    iops: Math.max(...claims.map(({ limits }) => limits.burstIops)),
    throughputMiBps: Math.max(...claims.map(({ limits }) => limits.burstMiBps)),
  };
  const { freeIops, freeMiBps } = gp3Figures;
  const iops = Math.max(freeIops, best.iops);
  const throughputMiBps = Math.max(freeMiBps, best.throughputMiBps);
  const now = claims.map(({ config, copies }) => ({ config, copies }));
  const then = claims.map(({ config, copies }) => {
    const sized = { ...config, volumeType: 'gp3' as const };
    const capped = Math.min(iops, topIops(sized) ?? iops);
    const served = Math.min(throughputMiBps, Math.max(freeMiBps, capped * ssdMiBPerIo));
    return { config: { ...sized, iops: capped, throughputMiBps: served }, copies };
  });
  const usdOf = (all: typeof now): number =>
    all.reduce((sum, { config, copies }) => sum + (offer.rankUsd([config]) ?? 0) * copies, 0);
  const saved = roundUsd(usdOf(now) - usdOf(then));
  if (saved < thresholds.cheaperTypeUsd) return [];
  const isPriceKnown = offer.hasPricesOf(['gp2', 'gp3']);
  const to = {
    ...{ volumeType: 'gp3', sizeGiB: null },
    iops: iops > freeIops ? iops : null,
    throughputMiBps: throughputMiBps > freeMiBps ? throughputMiBps : null,
  };
  const facts = { code: 'gp2' as const, figures: figuresText(volume.figures), now: best };
  const severity = isPriceKnown && saved >= thresholds.savingWarningUsd ? 'warning' : 'info';
  return [
    findingOf('gp2-to-gp3', volume, severity, facts, [setVolume(volume, to, isPriceKnown ? -saved : null)]),
  ];
}

export const gp2ToGp3 = volumeRule('gp2-to-gp3', (volume, context) => {
  const { offers, thresholds } = context;
  const { volumeType, sizeGiB, deployment } = volume.figures;
  if (!volumeType.known) return volumeType.reason;
  if (volumeType.value !== 'gp2' || volume.isOfClass || deployment === 'outposts') return [];
  const offer = offers.of(volume.region);
  const figures = figuresText(volume.figures);
  const claims = configuredClaims(volume);
  if (claims.length > 0) return ofClaims(volume, claims, context);
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
