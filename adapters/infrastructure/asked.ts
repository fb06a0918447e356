/** Values of a file as figures of the model: a number, a text, a flag, or why there is none. */
import type {
  Asked,
  AskedVolume,
  IgnoredRule,
  UnknownFigure,
  UnknownFigureCode,
} from '../../core/check/planned.ts';
import { decimalOf } from '../../core/decimal.ts';
import type { Tags } from '../../core/inventory.ts';
import { type Known, known, unknown } from '../../core/known.ts';
import { sanitize } from '../../core/sanitize.ts';

/** A value of a file, or why it is not known; undefined and null: it is not set. */
export type Value = Known<unknown, UnknownFigure>;
export type Lookup = (name: string) => Value;

export const unknownFigure = (
  code: UnknownFigureCode,
  detail: string | null = null,
): Known<never, UnknownFigure> => unknown({ code, detail: detail === null ? null : sanitize(detail) });

export const notSet: Asked<never> = known(null);

/** `${SIZE}`, `{{ size }}` and `$(SIZE)`: something else puts the value there before the file is used. */
const placeholder = /\$\{|\{\{|\$\(|^<.*>$/;

const notReadable = (value: unknown): Known<never, UnknownFigure> => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return unknownFigure(placeholder.test(text) ? 'not-resolved' : 'not-readable', text);
};

function askedFrom<T>(value: Value, read: (value: unknown) => T | undefined): Asked<T> {
  if (!value.known) return value;
  if (value.value === undefined || value.value === null || value.value === '') return notSet;
  const found = read(value.value);
  return found === undefined ? notReadable(value.value) : known(found);
}

/** A whole number that is not negative, as a number or as text. */
export const askedWhole = (value: Value): Asked<number> =>
  askedFrom(value, (one) => {
    const number = typeof one === 'string' ? decimalOf(one.trim()) : one;
    return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
  });

const longestText = 256;

/** One line, sanitized. */
export const askedText = (value: Value): Asked<string> =>
  askedFrom(value, (one) => {
    if (typeof one === 'number') return String(one);
    if (typeof one !== 'string' || placeholder.test(one)) return undefined;
    return sanitize(one.trim(), longestText);
  });

/** YAML of 1.1 also writes yes and on. */
const flags = new Map<unknown, boolean>([
  ...([true, 'true', 'True', 'TRUE', 'yes', 'Yes', 'on', '1'] as const).map((one) => [one, true] as const),
  ...([false, 'false', 'False', 'FALSE', 'no', 'No', 'off', '0'] as const).map(
    (one) => [one, false] as const,
  ),
]);

export const askedFlag = (value: Value): Asked<boolean> => askedFrom(value, (one) => flags.get(one));

/** Whether it is this text, in any case; a known null where nothing is set. */
export const askedIs = (asked: Asked<string>, text: string): Asked<boolean> =>
  asked.known ? known(asked.value === null ? null : asked.value.toLowerCase() === text) : asked;

/** What is not known is the default: shared. */
export const isDedicatedTenancy = (tenancy: Asked<string>): boolean =>
  tenancy.known && (tenancy.value === 'dedicated' || tenancy.value === 'host');

/** Of a launch configuration: one with a price is Spot. */
export const isSpotPrice = (price: Asked<string>): Asked<boolean> =>
  price.known ? known(price.value === null ? null : true) : price;

/** Of a mixed policy: whether any are Spot. Above its base all are on demand where nothing is set. */
export const isSpotShare = (onDemandPercent: Asked<number>): Asked<boolean> =>
  onDemandPercent.known ? known((onDemandPercent.value ?? 100) < 100) : onDemandPercent;

/** The first where it is set or not known, else the second. */
export const orElse = <T>(first: Asked<T>, second: Asked<T>): Asked<T> =>
  first.known && first.value === null ? second : first;

const longestAddress = 512;

export const addressText = (address: string): string => sanitize(address, longestAddress);

/** How images of Linux call the device that they boot from. */
export const isRootDevice = (device: string | null): boolean =>
  device !== null && /^\/dev\/(?:sda1|xvda)$/.test(device);

/** All of them, where all are known; a known null where there are none. */
export function allOf(texts: readonly Asked<string>[]): Asked<readonly string[]> {
  const values: string[] = [];
  for (const text of texts) {
    if (!text.known) return text;
    if (text.value !== null) values.push(text.value);
  }
  return values.length === 0 ? notSet : known(values);
}

/** How a format calls the figures of a volume; what it has no name for is not set. */
export type VolumeNames = Partial<Record<keyof AskedVolume, string>>;

export function askedVolume(look: Lookup, names: VolumeNames): AskedVolume {
  const at = (figure: keyof AskedVolume): Value => {
    const name = names[figure];
    return name === undefined ? notSet : look(name);
  };
  const volumeType = askedText(at('volumeType'));
  return {
    volumeType:
      volumeType.known && volumeType.value !== null ? known(volumeType.value.toLowerCase()) : volumeType,
    sizeGiB: askedWhole(at('sizeGiB')),
    iops: askedWhole(at('iops')),
    throughputMiBps: askedWhole(at('throughputMiBps')),
    initializationMiBps: askedWhole(at('initializationMiBps')),
    snapshotId: askedText(at('snapshotId')),
    multiAttach: askedFlag(at('multiAttach')),
    outpostArn: askedText(at('outpostArn')),
  };
}

// Tags.

const ignoring = ['stripewise:ignore', 'stripewise/ignore'];
/** One key for each rule: after a colon in a tag, after a hyphen in an annotation. */
const ignoringOne = /^stripewise(?::ignore:|\/ignore-)(.+)$/;
const longestReason = 200;

const reasonOf = (text: string): string | null => sanitize(text.trim(), longestReason) || null;

/** Rules that the tags of a resource, or its annotations, ask to ignore. */
export function ignoredRulesOf(tags: Tags): IgnoredRule[] {
  return Object.entries(tags).flatMap(([key, value]): IgnoredRule[] => {
    const one = ignoringOne.exec(key)?.[1];
    if (one !== undefined) return [{ rule: sanitize(one), reason: reasonOf(value) }];
    if (!ignoring.includes(key)) return [];
    const [, rule, reason = ''] = /^\s*([^\s:]+):?(.*)$/s.exec(value) ?? [];
    return rule === undefined ? [] : [{ rule: sanitize(rule), reason: reasonOf(reason) }];
  });
}

// Groups.

/**
 * How many instances a capacity is. It counts units of the weights, virtual CPUs or MiB of memory where the group says so.
 * @param weights of all overrides: how many units one instance is.
 * @param unit desired capacity type: a known null is units.
 * @param more why there may be other overrides.
 */
export function instancesOfCapacity(
  capacity: Asked<number>,
  unit: Asked<string>,
  weights: readonly Asked<number>[],
  more: UnknownFigure | null,
): Asked<number> {
  if (!capacity.known || capacity.value === null || capacity.value === 0) return capacity;
  if (!unit.known) return unit;
  if (unit.value !== null && unit.value !== 'units') return unknownFigure('not-resolved', unit.value);
  if (more !== null) return unknown(more);
  const notKnown = weights.find((one) => !one.known);
  if (notKnown !== undefined) return notKnown;
  const [weight = null, ...others] = new Set(weights.map((one) => (one.known ? one.value : null)));
  if (others.length > 0 || weight === 0) return unknownFigure('not-resolved', 'weighted capacity');
  return known(weight === null ? capacity.value : Math.ceil(capacity.value / weight));
}
