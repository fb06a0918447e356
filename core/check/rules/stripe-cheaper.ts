/** A new volume for which a stripe of gp3, with what the volume can do at its best, costs less. */
import { isPriced } from '../../prices/prices.ts';
import { bestOf, currentUsd, inPlace, maxStripeMembers, stripe } from '../../recommendations/candidates.ts';
import type { NotCheckedReason } from '../../schemas/check-answer.ts';
import type { Checked } from '../checked.ts';
import { type CheckedVolume, figuresText, isNew } from '../checked-volume.ts';
import { copiesOf, findingOf, type Rule, type RuleContext, type RuleFinding, volumeRule } from './rule.ts';

/** Types whose data a stripe of gp3 keeps as safely, but for the number of its members. */
const striped: readonly string[] = ['gp2', 'gp3', 'io1'];

const figuresKey = ({ figures }: CheckedVolume): string => JSON.stringify(figuresText(figures));
const ofSeries = /\[[^[\]]*\]$/;
/** Alike, and of one resource with count or for_each. */
const seriesKey = (volume: CheckedVolume): string =>
  `${volume.file}\n${volume.address.replace(ofSeries, '')}\n${figuresKey(volume)}`;

function countsOf(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Whether others may be members of one stripe with a volume: alike, on the same instance or counted together. */
function siblingsIn({ volumes, hosts, hostOf }: Checked): (volume: CheckedVolume) => boolean {
  const inSeries = countsOf(volumes.map(seriesKey));
  const onHost = new Map(hosts.map((host) => [host, countsOf([...new Set(host.volumes)].map(figuresKey))]));
  const isOneOfSeveral = (counts: ReadonlyMap<string, number>, key: string): boolean =>
    (counts.get(key) ?? 0) > 1;
  return (volume) => {
    const host = hostOf.get(volume);
    const ofHost = host === undefined ? undefined : onHost.get(host);
    if (ofHost !== undefined && isOneOfSeveral(ofHost, figuresKey(volume))) return true;
    return ofSeries.test(volume.address) && isOneOfSeveral(inSeries, seriesKey(volume));
  };
}

/** As many as its instance takes beside what it has; where no instance is named, as many as a stripe may have. */
function freeAttachments(volume: CheckedVolume, { hostOf }: Checked, { offers }: RuleContext): number {
  const host = hostOf.get(volume);
  if (host === undefined || !host.instanceType.known) return maxStripeMembers;
  const type = offers.of(host.region).catalog.instanceTypes.get(host.instanceType.value);
  const most = type?.attachments?.most ?? maxStripeMembers;
  return Math.max(0, most - host.volumes.length);
}

type HasSiblings = ReturnType<typeof siblingsIn>;

function found(
  volume: CheckedVolume,
  context: RuleContext,
  checked: Checked,
  hasSiblings: HasSiblings,
): RuleFinding[] | NotCheckedReason {
  const { kind, isRoot, isMultiAttach, figures } = volume;
  if (!isNew(volume) || (kind !== 'volume' && kind !== 'device') || isRoot || isMultiAttach) return [];
  if (!figures.volumeType.known) return figures.volumeType.reason;
  if (!striped.includes(figures.volumeType.value) || figures.deployment === 'outposts') return [];
  if (!volume.now.known) return volume.now.reason;
  const { config, limits } = volume.now.value;
  const offer = context.offers.of(volume.region);
  if (!isPriced(config.volumeType, offer.ranking) || !isPriced('gp3', offer.ranking)) return [];
  const current = { config, limits, prices: offer.ranking };
  const best = bestOf(current);
  const cheaper = stripe(current, best, freeAttachments(volume, checked, context));
  if (cheaper === null || hasSiblings(volume)) return [];
  const alone = Math.min(
    currentUsd(current),
    inPlace(current, 'gp3', best)?.monthlyUsd ?? Number.POSITIVE_INFINITY,
  );
  const saved = alone - cheaper.monthlyUsd;
  const { cheaperStripeUsd, cheaperStripeShare } = context.thresholds;
  if (saved < cheaperStripeUsd || saved < cheaperStripeShare * alone) return [];
  const { layout } = cheaper;
  const member = { ...config, ...layout, volumeType: layout.volumeType };
  const after = Array.from({ length: layout.members }, () => member);
  const { address, device } = volume;
  const monthlyUsdDifference = offer.difference([config], after, copiesOf(volume));
  return [
    findingOf(
      'stripe-cheaper',
      volume,
      'info',
      { code: 'single-volume', figures: figuresText(figures), can: best },
      [{ code: 'stripe', address, device, layout, monthlyUsdDifference }],
    ),
  ];
}

const id = 'stripe-cheaper';

export const stripeCheaper: Rule = {
  id,
  check(checked, context) {
    const hasSiblings = siblingsIn(checked);
    return volumeRule(id, (volume) => found(volume, context, checked, hasSiblings)).check(checked, context);
  },
};
