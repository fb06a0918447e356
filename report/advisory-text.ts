/** What every form of an advisory says, whatever the channel: headline, one group a resource, the figures of the run. */
import type { Advisory, ToldFinding } from '../core/schemas/advisory.ts';
import { type Change, isOver, isOverOrBetter } from '../core/schemas/changes.ts';
import { changeWords } from './change.ts';
import { inert, minuteText, plural, usd, whole } from './terminal/text.ts';

/** Findings of one resource, most urgent first, in the order in which they were told. */
export interface ToldResource {
  resourceId: string;
  findings: [ToldFinding, ...ToldFinding[]];
}

const mostNameCharacters = 60;
const mostReasonCharacters = 500;

const idOfTold = ({ resource }: ToldFinding): string => resource.id;

export function byResource(told: readonly ToldFinding[]): ToldResource[] {
  const groups = new Map<string, ToldResource>();
  for (const finding of told) {
    const resourceId = idOfTold(finding);
    const key = `${finding.resource.region} ${resourceId}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { resourceId, findings: [finding] });
    else group.findings.push(finding);
  }
  return [...groups.values()];
}

/** Of one alone what changed, and of several how many changed how. */
export function headline({ told, notShown }: Advisory): string {
  const [first] = told;
  if (first !== undefined && told.length + notShown === 1) {
    const { word } = changeWords[first.change];
    return `stripewise: ${first.kind} on ${inert(idOfTold(first))}${word === '' ? '' : ` (${word})`}`;
  }
  const counted = (change: Change): string[] => {
    const count = told.filter((finding) => finding.change === change).length;
    return count === 0 ? [] : [`${whole(count)} ${changeWords[change].word}`];
  };
  const over = (['resolved', 'better'] as const).flatMap(counted);
  const toLookAt = told.length - told.filter(isOverOrBetter).length + notShown;
  const parts = (['worse', 'reopened', 'proved'] as const).flatMap(counted);
  const look = `${plural(toLookAt, 'finding')} to look at${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
  return toLookAt === 0
    ? `stripewise: ${plural(told.length, 'finding')}: ${over.join(', ')}`
    : `stripewise: ${[look, ...over].join(', ')}`;
}

/** Of those that have no message or no line of their own. */
export const restTitle = (count: number): string =>
  `stripewise: ${plural(count, 'finding')} more, less urgent`;

/** What a resource is: its id, name, configuration and place, made inert. */
export function resourceText({ resourceId, findings: [first] }: ToldResource): string {
  const { name, region, account } = first.resource;
  const parts = [
    inert(resourceId),
    name ? `"${inert(name, mostNameCharacters)}"` : '',
    first.volumeText === null ? '' : inert(first.volumeText),
    inert(region),
    account === null ? '' : inert(account),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

export const resourceTextOf = (finding: ToldFinding): string =>
  resourceText({ resourceId: idOfTold(finding), findings: [finding] });

/** Advice that buys nothing has no price. */
const boughtNothing: readonly string[] = ['stalled', 'micro-burst'];

function priceText(
  { text, monthlyUsdDelta: delta }: ToldFinding['recommendations'][number],
  { kind, resource, priceUnknownBecause }: ToldFinding,
): string {
  if (delta !== null) {
    const price = `${delta > 0 ? '+' : ''}${usd(delta)} a month`;
    // Where a type is named, its price stands right after it.
    return text.slice(0, mostReasonCharacters - 1).includes(price) ? '' : ` (${price})`;
  }
  if (boughtNothing.includes(kind)) return '';
  // The advice on an instance says itself why a price is not known: another price list than that of volumes.
  if (resource.type !== 'volume') return '';
  return priceUnknownBecause === null
    ? ' (its cost depends on what you choose)'
    : ` (price unknown: ${inert(priceUnknownBecause, mostReasonCharacters)})`;
}

export interface FindingText {
  severity: ToldFinding['severity'];
  kind: string;
  what: string;
  advice: string[];
  /** What a benchmark showed; null where there is none. */
  proof: string | null;
}

export const findingText = (finding: ToldFinding): FindingText => {
  const { kind, severity, change, reason, firstSeen, recommendations, proof } = finding;
  const first = firstSeen === null ? '' : `; first ${minuteText(firstSeen)} UTC`;
  return {
    severity,
    kind,
    what: `${inert(reason, mostReasonCharacters)}${first}${changeWords[change].clause}`,
    // Nothing is to be done about what is over.
    advice: (isOver(finding) ? [] : recommendations).map(
      (one) => `${inert(one.text, mostReasonCharacters)}${priceText(one, finding)}`,
    ),
    proof: proof === null ? null : inert(proof, mostReasonCharacters),
  };
};

/** What the run was: its window, what it covered, what it cost, where it is; or that there was none. */
export function runLines({ run, madeAt }: Pick<Advisory, 'run' | 'madeAt'>): string[] {
  if (run === null) return [`Told between two audits, at ${inert(minuteText(madeAt))} UTC.`];
  const { window, volumes, unknownVolumes, openFindings, partial, cost, location } = run;
  const when =
    window === null
      ? 'no figures'
      : `${inert(minuteText(window.start))} to ${inert(minuteText(window.end))} UTC`;
  return [
    `${when}: ${plural(volumes, 'volume')}, ${openFindings} open in all, ${unknownVolumes} unknown. Reading cost ${usd(cost.usd)}.`,
    ...(partial ? ['This audit is partial: something could not be read, see the summary of the run.'] : []),
    `All of it: ${inert(location, 300)}`,
  ];
}
