/** What lies packed in the page: unpacked when it is asked for, and series once each. */
import { seriesKey } from '../../../core/report/audit-report.ts';

const cannotUnpack =
  'This browser cannot unpack the data in this page (it has no DecompressionStream). Open it in Chrome or Edge of 2020, Firefox or Safari of 2023, or newer.';

async function unpacked(text: string): Promise<unknown> {
  if (typeof DecompressionStream === 'undefined') throw new Error(cannotUnpack);
  const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  try {
    return await new Response(stream).json();
  } catch (cause) {
    throw new Error(
      'The data in this page is damaged: it was not saved or sent in whole. Get the file again.',
      {
        cause,
      },
    );
  }
}

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
const asked = new Map<string, Promise<unknown>>();

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

/** The series of a resource; null where the page has none of it. */
export async function seriesOf<Series>(resourceId: string): Promise<Series | null> {
  const element = elementOf(resourceId);
  if (element === undefined) return null;
  const unpacking = asked.get(resourceId) ?? unpacked(element.textContent ?? '');
  asked.set(resourceId, unpacking);
  return (await unpacking) as Series;
}
