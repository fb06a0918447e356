/** Each text of a document that somebody else chose, marked as untrusted: by its field, and by what the engine and AWS call things. */
import { isInstanceId, isRegionName, isVolumeId } from './ids.ts';
import { volumeTypes } from './limits/volume-limits.ts';
import { checkFigureNames, checkRuleIds } from './schemas/check-answer.ts';
import { untrusted } from './untrusted.ts';

/** What a figure, a code, a time, a type or a Region looks like: no blank, so no sentence. */
const plain = /^[A-Za-z0-9][A-Za-z0-9.:+_-]{0,39}$/;

/** The fields that hold what somebody wrote in the account or in a file, whatever it looks like. */
const chosen: ReadonlySet<string> = new Set([
  ...['name', 'accountName', 'accountUnits', 'mountPoints', 'label', 'stripeId', 'tags'],
  ...['claim', 'namespace', 'cluster', 'group', 'tag', 'principal', 'reason'],
  ...[
    'address',
    'device',
    'devices',
    'detail',
    'file',
    'ending',
    'replacedFor',
    'volumeType',
    'rule',
    'region',
  ],
]);

const isOneOf = (values: readonly string[]): ((text: string) => boolean) => {
  const all = new Set(values);
  return (text) => all.has(text);
};

/** The words of the engine and of AWS: in these fields they are plain, and no other text is. */
const enumerated: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['figure', isOneOf(checkFigureNames)],
  ['unit', isOneOf(['IOPS', 'MiB/s'])],
  ['volumeType', isOneOf(volumeTypes)],
  ['rule', isOneOf(checkRuleIds)],
  ['region', isRegionName],
]);

/** The field that is the engine's own: what EBS refuses is said of figures and types alone, credits are of a type it knows. */
const ownFields: ReadonlyMap<unknown, string> = new Map([
  ['configuration-refused', 'reason'],
  ['credits-used-up', 'name'],
]);

/** Where an instance type is one that nobody knows, it is any text. */
const codesOfAnyType: ReadonlySet<unknown> = new Set(['no-such-instance-type', 'no-instance-price']);

/** @param isTags keys and values are what somebody chose, also a key that is called `code`. */
function marked(value: unknown, isChosen: boolean, isTags = false): unknown {
  if (typeof value === 'string') {
    const isPlain = plain.test(value) || isVolumeId(value) || isInstanceId(value);
    return isChosen || !isPlain ? untrusted(value) : value;
  }
  if (Array.isArray(value)) return value.map((one) => marked(one, isChosen));
  if (typeof value !== 'object' || value === null) return value;
  const isOfTags = isTags || (isChosen && !('code' in value));
  const code = !isOfTags && 'code' in value ? value.code : null;
  const own = ownFields.get(code);
  const isAnyType = (key: string): boolean => key === 'instanceType' && codesOfAnyType.has(code);
  const isPlain = (key: string, one: unknown): boolean =>
    key === own || (typeof one === 'string' && enumerated.get(key)?.(one) === true);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      isOfTags ? untrusted(key) : key,
      !isOfTags && isPlain(key, one)
        ? one
        : marked(one, isOfTags || chosen.has(key) || isAnyType(key), key === 'tags'),
    ]),
  );
}

/** The same document, in which each text that is no figure, code, time or id is marked. Objects keep their shape, and codes stay. */
export const withUntrusted = <T>(document: T): T => marked(document, false) as T; // each text is replaced by a text
