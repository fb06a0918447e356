/** A page as JSON text, written number by number: a page has up to 100,800 points and no object for any of them. */
import type { Page, PageResult } from './metric-data-page.ts';

/** Texts kept: a fleet whose volumes share their series asks for the same ones again and again. */
const recentTexts = 64;
let recent: { numbers: Float64Array; text: string }[] = [];

/** Stored series are never changed in place: the same part of the same memory is the same numbers. */
const isSamePart = (a: Float64Array, b: Float64Array): boolean =>
  a.buffer === b.buffer && a.byteOffset === b.byteOffset && a.length === b.length;

/** Ascending; printed once while it is among the last ones. */
function printAscending(numbers: Float64Array): string {
  const known = recent.find((one) => isSamePart(one.numbers, numbers));
  if (known !== undefined) return known.text;
  const text = printNumbers(numbers, false);
  recent = [{ numbers, text }, ...recent.slice(0, recentTexts - 1)];
  return text;
}

function printNumbers(numbers: Float64Array, descending: boolean): string {
  if (numbers.length === 0) return '';
  const last = numbers.length - 1;
  let text = `${numbers[descending ? last : 0]}`;
  if (descending) for (let i = last - 1; i >= 0; i--) text += `,${numbers[i]}`;
  else for (let i = 1; i <= last; i++) text += `,${numbers[i]}`;
  return text;
}

const isSame = (a: Float64Array, b: Float64Array): boolean => {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
};

/** Most results of a page have the timestamps of the one before: these are printed once. */
function timestampPrinter(descending: boolean): (times: Float64Array) => string {
  let before: { times: Float64Array; text: string } | null = null;
  return (times) => {
    if (before === null || !isSame(before.times, times)) {
      before = { times, text: printNumbers(times, descending) };
    }
    return before.text;
  };
}

export function printPage({ results, nextToken }: Page, descending: boolean): string {
  const printTimes = timestampPrinter(descending);
  const printValues = (values: Float64Array): string =>
    descending ? printNumbers(values, true) : printAscending(values);
  const printResult = ({ query, points, complete }: PageResult): string =>
    `{"Id":${JSON.stringify(query.id)},"Label":${JSON.stringify(query.label)},` +
    `"Timestamps":[${printTimes(points.epochSeconds)}],"Values":[${printValues(points.values)}],` +
    `"StatusCode":"${complete ? 'Complete' : 'PartialData'}"}`;
  const token = nextToken === undefined ? '' : `,"NextToken":${JSON.stringify(nextToken)}`;
  return `{"Messages":[],"MetricDataResults":[${results.map(printResult).join(',')}]${token}}`;
}
