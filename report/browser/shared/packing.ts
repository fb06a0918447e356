/** Documents as they lie in a page: gzip of their JSON, in base64. */

const cannotUnpack =
  'This browser cannot unpack the data in this page (it has no DecompressionStream). Open it in Chrome or Edge of 2020, Firefox or Safari of 2023, or newer.';

/** More arguments than that no engine takes. */
const charactersAtOnce = 8_192;

/** @throws Error in one line that can be shown. */
export async function unpacked(text: string): Promise<unknown> {
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

/** As `unpacked` takes it: gzip in base64. */
export async function packed(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += charactersAtOnce)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + charactersAtOnce)));
  return btoa(parts.join(''));
}
