/** What lies packed in the page: unpacked when it is asked for, and series once each. */
import { createContext } from 'preact';
import { seriesKey } from '../../../core/report/audit-report.ts';
import { unpacked } from './packing.ts';

/**
 * What the page is made from.
 * @throws Error in one line that can be shown.
 */
export async function pageData<Data>(): Promise<Data> {
  const element = document.getElementById('data');
  if (element === null)
    throw new Error('There is no data in this page: it was not saved in whole. Get the file again.');
  return (await unpacked(element.textContent ?? '')) as Data;
}

let elements: Map<string, Element> | null = null;

/** Looked for once: a page has hundreds. */
function elementOf(resourceId: string): Element | undefined {
  elements ??= new Map(
    [...document.querySelectorAll('script[data-series]')].map((element) => [
      element.getAttribute('data-series') ?? '',
      element,
    ]),
  );
  return elements.get(seriesKey(resourceId));
}

/** Gives the packed series of a resource; null where there is none of it. */
export type PackedSource = (resourceId: string) => string | null;

/** Those that lie in the page. */
const ofPage: PackedSource = (resourceId) => elementOf(resourceId)?.textContent ?? null;

/** Where the series of a report come from: the elements of its page, unless somebody else has them. */
export const SeriesSource = createContext<PackedSource>(ofPage);

/** Of each source each series is unpacked once. */
const asked = new WeakMap<PackedSource, Map<string, Promise<unknown>>>();

/** The series of a resource; null where the source has none of it. */
export async function seriesOf<Series>(source: PackedSource, resourceId: string): Promise<Series | null> {
  const ofSource = asked.get(source) ?? new Map<string, Promise<unknown>>();
  asked.set(source, ofSource);
  let unpacking = ofSource.get(resourceId);
  if (unpacking === undefined) {
    const text = source(resourceId);
    if (text === null) return null;
    unpacking = unpacked(text);
    ofSource.set(resourceId, unpacking);
  }
  return (await unpacking) as Series;
}
