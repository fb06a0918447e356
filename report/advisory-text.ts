/** What every form of an advisory says, whatever the channel: headline, one group a resource, the figures of the run. */
import type { Advisory, ToldFinding } from '../core/schemas/advisory.ts';
import { resourceIdOf } from '../core/schemas/finding.ts';
import { inert, minuteText, plural, usd } from './terminal/text.ts';

/** Findings of one resource, most urgent first, in the order in which they were told. */
export interface ToldResource {
  resourceId: string;
  findings: [ToldFinding, ...ToldFinding[]];
}

const mostNameCharacters = 60;
const mostReasonCharacters = 500;

const idOfTold = ({ resource }: ToldFinding): string => resourceIdOf(resource);

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

export function headline({ told, notShown }: Advisory): string {
  const count = told.length + notShown;
  const having = (change: ToldFinding['change']): number =>
    told.filter((finding) => finding.change === change).length;
  const parts = [
    having('worse') > 0 ? `${having('worse')} worse` : '',
    having('back') > 0 ? `${having('back')} back` : '',
    having('proved') > 0 ? `${having('proved')} benchmarked` : '',
  ].filter((part) => part !== '');
  const [first] = told;
  if (count === 1 && first !== undefined)
    return `stripewise: ${first.kind} on ${inert(idOfTold(first))}${parts.length > 0 ? ` (${parts.join('')})` : ''}`;
  return `stripewise: ${plural(count, 'finding')} to look at${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
}

const changeText = {
  ...{ new: '', worse: ', worse than told before', back: ', back again' },
  proved: ', benchmarked since it was told',
} as const;

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

/** Advice that buys nothing has no price. */
const boughtNothing: readonly string[] = ['stalled', 'micro-burst'];

function priceText(
  { action, monthlyUsdDelta: delta }: ToldFinding['advice'][number],
  { kind, resource, priceUnknownBecause }: ToldFinding,
): string {
  if (delta !== null) {
    const price = `${delta > 0 ? '+' : ''}${usd(delta)} a month`;
    // Where a type is named, its price stands right after it.
    return action.slice(0, mostReasonCharacters - 1).includes(price) ? '' : ` (${price})`;
  }
  if (boughtNothing.includes(kind)) return '';
  // The advice on an instance says itself why a price is not known: another price list than that of volumes.
  if (resource.instanceId !== undefined) return '';
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
  const { kind, severity, change, reason, since, advice, proof } = finding;
  const first = since === null ? '' : `; first ${minuteText(since)} UTC`;
  return {
    severity,
    kind,
    what: `${inert(reason, mostReasonCharacters)}${first}${changeText[change]}`,
    advice: advice.map((one) => `${inert(one.action, mostReasonCharacters)}${priceText(one, finding)}`),
    proof: proof === null ? null : inert(proof, mostReasonCharacters),
  };
};

/** What the run was: its window, what it covered, what it cost, where it is. */
export function runLines({
  window,
  volumes,
  unknownVolumes,
  openFindings,
  partial,
  cost,
  location,
}: Advisory): string[] {
  const when =
    window === null ? 'no figures' : `${minuteText(window.start)} to ${minuteText(window.end)} UTC`;
  return [
    `${when}: ${plural(volumes, 'volume')}, ${openFindings} open in all, ${unknownVolumes} unknown. Reading cost ${usd(cost.usd)}.`,
    ...(partial ? ['This audit is partial: something could not be read, see the summary of the run.'] : []),
    `All of it: ${inert(location, 300)}`,
  ];
}
