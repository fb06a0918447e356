/** What a finding of the check says: its labelled lines, from its facts and figures. */
import { figure } from '../../core/figures.ts';
import { gp2Figures, gp3Figures, isHdd, isVolumeType } from '../../core/limits/volume-limits.ts';
import type { CheckFacts, CheckFigures, CheckFinding, CheckWayOut } from '../../core/schemas/check-answer.ts';
import { secondsPerHour, secondsPerMinute } from '../../core/units.ts';
import type { FindingLine } from './finding-lines.ts';
import { refreshText } from './recommendation.ts';
import {
  capitalized,
  cited,
  counted,
  layoutText,
  rateText,
  shortText,
  usdDeltaText,
  type WordsByCode,
  wordsOf,
} from './words.ts';

export const nameText = (text: string): string => shortText(text, 60);

/** "gp3 500 GiB, 6,000 IOPS, 250 MiB/s"; what is not set is not named. */
function figuresText({ volumeType, sizeGiB, iops, throughputMiBps }: CheckFigures): string {
  const size = sizeGiB === null ? '' : ` ${figure(sizeGiB)} GiB`;
  return [
    `${nameText(volumeType)}${size}`,
    ...(iops === null ? [] : [rateText(iops, 'IOPS')]),
    ...(throughputMiBps === null ? [] : [rateText(throughputMiBps, 'MiB/s')]),
  ].join(', ');
}

interface Ability {
  iops: number;
  throughputMiBps: number;
}

const abilityText = ({ iops, throughputMiBps }: Ability): string =>
  `${rateText(iops, 'IOPS')} and ${rateText(throughputMiBps, 'MiB/s')}`;

/** "31 min", "1.4 h". */
function durationText(seconds: number): string {
  return seconds < secondsPerHour
    ? `${figure(seconds / secondsPerMinute, 0)} min`
    : `${figure(seconds / secondsPerHour, 1)} h`;
}

export const daysText = (days: number): string => rateText(days, days === 1 ? 'day' : 'days');

/** "half an hour a day", "8 hours a day". */
function loadText(hours: number): string {
  if (hours === 0.5) return 'half an hour a day';
  return hours === 1 ? 'an hour a day' : `${figure(hours)} hours a day`;
}

type Lower = Extract<CheckFacts, { code: 'lower-performance' }>;

const isHddType = ({ volumeType }: CheckFigures): boolean => isVolumeType(volumeType) && isHdd(volumeType);

/** Those of the two that become lower. */
function loweredText({ before, after, to }: Lower): string {
  const parts = [
    ...(after.throughputMiBps < before.throughputMiBps
      ? [`${figure(before.throughputMiBps, 1)} -> ${rateText(after.throughputMiBps, 'MiB/s')}`]
      : []),
    // Of an HDD the IOPS are made of its MiB/s: they are no figure of EBS.
    ...(after.iops < before.iops && !isHddType(to)
      ? [`${figure(before.iops, 1)} -> ${rateText(after.iops, 'IOPS')}`]
      : []),
  ];
  return parts.length === 0
    ? `its ${rateText(before.iops, 'IOPS')} to those of a hard disk`
    : parts.join(' and ');
}

const ratesText = (parts: readonly [number, string][]): string =>
  parts
    .filter(([rate]) => rate > 0)
    .map(([rate, unit]) => rateText(rate, unit))
    .join(' and ');

/** A few of them by name. */
function named(texts: readonly string[]): string {
  const rest = texts.length - maxNamed;
  return `${texts.slice(0, maxNamed).map(nameText).join(', ')}${rest > 0 ? ` and ${figure(rest)} more` : ''}`;
}

const maxNamed = 3;

const problems: WordsByCode<CheckFacts> = {
  'configuration-refused': ({ figures }) => `AWS refuses ${figuresText(figures)}.`,
  'no-such-volume-type': ({ volumeType }) =>
    `AWS refuses it: there is no volume type "${nameText(volumeType)}".`,
  'volume-shrinks': ({ fromGiB, toGiB }) =>
    `AWS refuses it: a volume cannot shrink, ${figure(fromGiB)} -> ${figure(toGiB)} GiB.`,
  'boot-volume-type': ({ volumeType }) => `AWS refuses it: ${volumeType} cannot be a boot volume.`,
  'multi-attach-type': ({ volumeType }) =>
    `AWS refuses it: ${volumeType} has no Multi-Attach, io1 and io2 alone do.`,
  'instance-limit': ({ instance, volumes, isAboveMaximum }) => {
    const what = volumes === 1 ? 'Its volume exceeds' : `Its ${figure(volumes)} volumes together exceed`;
    return `${what} the ${isAboveMaximum ? 'maximum' : 'baseline'} of ${nameText(instance.instanceType)}.`;
  },
  'unused-performance': ({ instance, unusedIops, unusedMiBps }) =>
    `${ratesText([
      [unusedIops, 'IOPS'],
      [unusedMiBps, 'MiB/s'],
    ])} are paid for, and the volumes together can never use them on ${nameText(instance.instanceType)}.`,
  gp2: ({ figures, now }) =>
    now === null
      ? 'gp2 costs more a GiB than gp3.'
      : `${figuresText(figures)} costs more than gp3 with the same performance.`,
  'lower-performance': (facts) =>
    `${facts.from.volumeType} -> ${facts.to.volumeType} lowers ${loweredText(facts)}.`,
  replaced: ({ what, devices }) =>
    what === 'volume'
      ? 'The volume is replaced, and its data is lost.'
      : `The instance is replaced for ${counted(devices.length, 'changed volume')}.`,
  'single-volume': ({ figures }) => `${figuresText(figures)} costs more than a stripe of gp3.`,
  'volume-at-its-most': ({ figures }) => `${figuresText(figures)} is at its most: one volume cannot do more.`,
  'credits-used-up': ({ of, name: called, baseline, unit, lastsSeconds }) =>
    `Burst credits of ${of === 'volume' ? called : `the instance (${nameText(called)})`} last ${durationText(lastsSeconds)}; then ${rateText(baseline, unit)} are left.`,
  'throttles-measured-load': (facts) => {
    const { before, after, when } = worse(facts);
    return `${changedText(facts.from, facts.to)}: ${figure(after, 1)} throttled minutes ${when} instead of ${figure(before, 1)}.`;
  },
};

type ThrottlesLoad = Extract<CheckFacts, { code: 'throttles-measured-load' }>;

const isMeanWorse = (facts: ThrottlesLoad): boolean =>
  facts.throttledMinutesADayAfter > facts.throttledMinutesADayBefore ||
  facts.throttledMinutesPeak24hAfter <= facts.throttledMinutesPeak24hBefore;

/** The mean of all days; where that is no worse, the 24 hours with the most. */
function worse(facts: ThrottlesLoad): { before: number; after: number; when: string } {
  const { throttledMinutesADayBefore, throttledMinutesADayAfter } = facts;
  return isMeanWorse(facts)
    ? { before: throttledMinutesADayBefore, after: throttledMinutesADayAfter, when: 'a day' }
    : {
        before: facts.throttledMinutesPeak24hBefore,
        after: facts.throttledMinutesPeak24hAfter,
        when: 'in the peak 24 h',
      };
}

type OfInstance = Extract<CheckFacts, { code: 'instance-limit' | 'unused-performance' }>;

function instanceText({ instance, together }: OfInstance): string {
  const { instanceType, baselineIops, maximumIops, baselineMiBps, maximumMiBps } = instance;
  const maximum = abilityText({ iops: maximumIops, throughputMiBps: maximumMiBps });
  const isSteady = baselineIops === maximumIops && baselineMiBps === maximumMiBps;
  const baseline = abilityText({ iops: baselineIops, throughputMiBps: baselineMiBps });
  const has = isSteady ? maximum : `baseline ${baseline}, at most ${maximum}`;
  return `${nameText(instanceType)}: ${has}. Volumes together: ${abilityText(together)}.`;
}

/** The figures behind it, and where they come from; null where the problem has them all. */
const evidence: WordsByCode<CheckFacts, string | null> = {
  'configuration-refused': ({ reason }) => `${capitalized(cited(reason))}.`,
  'no-such-volume-type': () => null,
  'volume-shrinks': () => null,
  'boot-volume-type': () => null,
  'multi-attach-type': () => null,
  'instance-limit': instanceText,
  'unused-performance': instanceText,
  gp2: ({ figures, now }) => {
    if (now !== null)
      return `${figures.sizeGiB === null ? 'The largest of its claims' : 'By its size it'} has at most ${abilityText(now)}.`;
    const { freeIops, freeMiBps } = gp3Figures;
    const { smallGiB, maxMiBps, burstIops, iopsPerGiB } = gp2Figures;
    return [
      `gp3 has ${abilityText({ iops: freeIops, throughputMiBps: freeMiBps })} unless more is set.`,
      `gp2 has more in large volumes: above ${figure(smallGiB)} GiB up to ${rateText(maxMiBps, 'MiB/s')}, above ${figure(burstIops / iopsPerGiB)} GiB more IOPS.`,
    ].join(' ');
  },
  'lower-performance': ({ to, isSet }) =>
    isSet || to.volumeType !== 'gp3'
      ? null
      : `gp3 has ${abilityText({ iops: gp3Figures.freeIops, throughputMiBps: gp3Figures.freeMiBps })} unless more is set.`,
  replaced: ({ replacedFor, isInPlace, replaceReason }) => {
    if (replaceReason === 'tainted')
      return 'Terraform marked it as tainted. No attribute asks for a new volume.';
    if (replaceReason === 'requested')
      return 'It was requested with -replace. No attribute asks for a new volume.';
    if (replaceReason === 'unknown') return 'The plan does not say why.';
    return `Replaced for ${named(replacedFor)}. EBS ${isInPlace ? 'makes' : 'cannot make'} this change in place.`;
  },
  'volume-at-its-most': ({ can, instance }) => {
    const most = `It has at most ${abilityText(can)}.`;
    if (instance === null) return `${most} No instance is named: it must do as much as the stripe.`;
    const { instanceType, baselineIops, baselineMiBps } = instance;
    return `${most} ${nameText(instanceType)}: baseline ${abilityText({ iops: baselineIops, throughputMiBps: baselineMiBps })}.`;
  },
  'single-volume': ({ can }) => `It has at most ${abilityText(can)}.`,
  'credits-used-up': ({ load, loadHours, rate, unit }) =>
    `Class of load ${load}: ${rateText(rate, unit)} for ${loadText(loadHours)}, from a full bucket.`,
  'throttles-measured-load': (facts) => {
    const { volumeId, measuredDays, throttledMinutesPeak24hAfter: peak } = facts;
    const days = measuredDays === 1 ? 'one day' : daysText(measuredDays);
    const load = `The load of ${nameText(volumeId)} in ${days} of metrics, simulated.`;
    if (!isMeanWorse(facts)) {
      const { throttledMinutesADayBefore: before, throttledMinutesADayAfter: after } = facts;
      return `${load} Mean of the days: ${figure(after, 1)} throttled minutes instead of ${figure(before, 1)}.`;
    }
    return measuredDays > 1 ? `${load} Peak 24 h: ${figure(peak, 1)} throttled minutes.` : load;
  },
};

type Layout = Parameters<typeof layoutText>[0];

/** "6,000 -> 3,000 IOPS"; of more than one figure the layouts. */
function changedText(from: Layout, to: Layout): string {
  const isSameVolume = from.volumeType === to.volumeType && from.sizeGiB === to.sizeGiB;
  if (isSameVolume && from.throughputMiBps === to.throughputMiBps)
    return `${figure(from.iops)} -> ${rateText(to.iops, 'IOPS')}`;
  if (isSameVolume && from.iops === to.iops)
    return `${figure(from.throughputMiBps)} -> ${rateText(to.throughputMiBps, 'MiB/s')}`;
  return `${layoutText(from, null)} -> ${layoutText(to, from)}`;
}

type Changes = Extract<CheckWayOut, { code: 'set-volumes' }>['changes'];

function changesText(changes: Changes): string {
  if (changes.length === 1) return figuresText((changes[0] as Changes[number]).to);
  const texts = changes
    .slice(0, maxNamed)
    .map(({ address, device, to }) => `${figuresText(to)} (${shortText(device ?? address, 60)})`);
  const rest = changes.length - texts.length;
  return `${texts.join('; ')}${rest > 0 ? `; and ${figure(rest)} more` : ''}`;
}

/** What is to be done, without its price and risk. */
const ways: WordsByCode<CheckWayOut> = {
  'set-volumes': ({ changes }) => `Set ${changesText(changes)}`,
  'set-instance-type': ({ instanceType }) => `Use ${nameText(instanceType)}`,
  stripe: ({ layout }) => `Use a ${layoutText(layout, null)}`,
  'modify-in-place': ({ changes }) =>
    `Modify the volume with ModifyVolume, or as a resource of its own: ${changesText(changes)}`,
  keep: ({ replaceReason }) =>
    replaceReason === 'tainted'
      ? 'Keep the volume: untaint it, if it works'
      : 'Keep the volume: plan without -replace',
  'snapshot-first': () => 'Take a snapshot first, and create the new volume from it',
};

const riskText = ({ code }: CheckWayOut): string =>
  code === 'stripe' ? ' If one member fails, all data is lost.' : '';

/** Figures of the first volume that is set; what is not set is the default of gp3. */
function setFigures(way: CheckWayOut): Ability | null {
  const to = way.code === 'set-volumes' ? way.changes[0]?.to : undefined;
  if (to?.volumeType !== 'gp3') return null;
  return {
    iops: to.iops ?? gp3Figures.freeIops,
    throughputMiBps: to.throughputMiBps ?? gp3Figures.freeMiBps,
  };
}

/** "Baseline 3,600 -> 20,000 IOPS, 81 -> 594 MiB/s." */
function baselineEffect(from: Partial<Ability>, to: Ability): string {
  const part = (before: number | undefined, after: number, unit: string): string[] =>
    before === undefined ? [] : [`${figure(before, 1)} -> ${rateText(after, unit)}`];
  const parts = [
    ...part(from.iops, to.iops, 'IOPS'),
    ...part(from.throughputMiBps, to.throughputMiBps, 'MiB/s'),
  ];
  return `Baseline ${parts.join(', ')}.`;
}

const baselineOf = (way: CheckWayOut): Ability | null =>
  way.code === 'set-instance-type'
    ? { iops: way.baselineIops, throughputMiBps: way.baselineMiBps }
    : setFigures(way);

const nothing = (): null => null;

/** What the usual way out does, where the engine knows it. */
const effects: WordsByCode<CheckFacts & { way: CheckWayOut }, string | null> = {
  'configuration-refused': nothing,
  'no-such-volume-type': nothing,
  'volume-shrinks': nothing,
  'boot-volume-type': nothing,
  'multi-attach-type': nothing,
  'instance-limit': ({ instance: { baselineIops, baselineMiBps }, way }) =>
    way.code === 'set-instance-type'
      ? baselineEffect(
          { iops: baselineIops, throughputMiBps: baselineMiBps },
          { iops: way.baselineIops, throughputMiBps: way.baselineMiBps },
        )
      : 'The volumes together stay within the baseline of the instance.',
  'unused-performance': () =>
    'All volumes together reach as much as before. A volume that is busy alone gets slower.',
  gp2: ({ figures: { sizeGiB }, way }) => {
    const figures = setFigures(way);
    const isOnCredits = sizeGiB !== null && sizeGiB * gp2Figures.iopsPerGiB < gp2Figures.burstIops;
    if (figures === null || !isOnCredits) return null;
    return `${abilityText(figures)} as its baseline, without burst credits.`;
  },
  'lower-performance': ({ before, from }) =>
    `${isHddType(from) ? rateText(before.throughputMiBps, 'MiB/s') : abilityText(before)} at least, as before.`,
  replaced: ({ what }) => (what === 'volume' ? 'The volume keeps its data.' : 'The instance stays.'),
  'volume-at-its-most': ({ can, stripe }) => {
    const parts = [
      ...(stripe.iops > can.iops ? [`${figure(can.iops, 1)} -> ${rateText(stripe.iops, 'IOPS')}`] : []),
      ...(stripe.throughputMiBps > can.throughputMiBps
        ? [`${figure(can.throughputMiBps, 1)} -> ${rateText(stripe.throughputMiBps, 'MiB/s')}`]
        : []),
    ];
    return `At most ${parts.join(', ')}.`;
  },
  'single-volume': () => 'The same IOPS and MiB/s at least.',
  'credits-used-up': ({ baseline, unit, way }) => {
    const to = baselineOf(way);
    if (to === null) return null;
    return baselineEffect(unit === 'IOPS' ? { iops: baseline } : { throughputMiBps: baseline }, to);
  },
  'throttles-measured-load': (facts) => {
    const { before, after, when } = worse(facts);
    return `${before > 0 ? 'At most ' : ''}${figure(before, 1)} throttled minutes ${when} instead of ${figure(after, 1)} (simulated).`;
  },
};

type Priced = Pick<CheckFinding, 'rule' | 'region'>;

/** Why nobody knows it, and what to do; null where there is nothing to compare with. */
function priceUnknownText(way: CheckWayOut, { rule, region }: Priced): string | null {
  // What AWS refuses has no price.
  if (rule === 'refused-by-aws' || !isPriced(way)) return null;
  if (way.code === 'set-volumes' && way.changes.some(({ to }) => to.sizeGiB === null))
    return 'it depends on the size';
  if (region === null) return 'its Region is not known; give --region';
  const what = way.code === 'set-instance-type' ? 'its instance types' : 'its volumes';
  return `no prices of ${what} in ${shortText(region, 30)}; ${refreshText(region)}`;
}

/** A volume costs the same replaced, modified or made from a snapshot. */
const isPriced = (
  way: CheckWayOut,
): way is Exclude<CheckWayOut, { code: 'modify-in-place' | 'keep' | 'snapshot-first' }> =>
  !['modify-in-place', 'keep', 'snapshot-first'].includes(way.code);

const usdOf = (way: CheckWayOut): number | null => (isPriced(way) ? way.monthlyUsdDifference : null);

function costText(way: CheckWayOut, of: Priced): string | null {
  const usd = usdOf(way);
  if (usd !== null) return usd === 0 ? 'No change.' : `${usdDeltaText(usd)}.`;
  const why = priceUnknownText(way, of);
  return why === null ? null : `Unknown: ${why}.`;
}

/** An alternative in one line, with its cost. */
function alternativeText(way: CheckWayOut, of: Priced): string {
  const usd = usdOf(way);
  const isUnknown = usd === null && priceUnknownText(way, of) !== null;
  const price = usd === null ? (isUnknown ? ': price unknown' : '') : `: ${usdDeltaText(usd)}`;
  return `${wordsOf(ways, way)}${price}.${riskText(way)}`;
}

/** What a finding says; null where a line has nothing to say. */
export interface CheckFindingText {
  problem: string;
  evidence: string | null;
  fix: string;
  effect: string | null;
  cost: string | null;
  /** Instead of the fix, each with its cost. */
  alternatives: string[];
}

const maxAlternatives = 3;

/** Sentences of 25 words at most. */
export function checkFindingText(
  finding: Pick<CheckFinding, 'facts' | 'wayOut' | 'rule' | 'region'>,
): CheckFindingText {
  const { facts, wayOut } = finding;
  const [first, ...others] = wayOut;
  return {
    problem: wordsOf(problems, facts),
    evidence: wordsOf(evidence, facts),
    fix: first === undefined ? 'None with these figures.' : `${wordsOf(ways, first)}.${riskText(first)}`,
    effect: first === undefined ? null : wordsOf(effects, { ...facts, way: first }),
    cost: first === undefined ? null : costText(first, finding),
    alternatives: others.slice(0, maxAlternatives).map((way) => alternativeText(way, finding)),
  };
}

/** The same as lines with labels, in the order in which they are read. */
export function checkFindingLines(finding: Parameters<typeof checkFindingText>[0]): FindingLine[] {
  const { problem, evidence: shown, fix, effect, cost, alternatives } = checkFindingText(finding);
  const lines: [FindingLine['label'], string | null][] = [
    ['Problem', problem],
    ['Evidence', shown],
    ['Fix', fix],
    ['Effect', effect],
    ['Cost', cost],
    ...alternatives.map((text): ['Or', string] => ['Or', text]),
  ];
  return lines.flatMap(([label, text]) => (text === null ? [] : [{ label, text }]));
}
