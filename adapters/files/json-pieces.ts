/**
 * A JSON object that is read piece by piece, of files that are too large to stand in memory as one text: of the arrays that are
 * asked for each element is parsed and handed on by itself.
 */
import { bytesPerMiB } from '../../core/units.ts';

/** No element of what AWS prints is nearly as large. */
const maxPieceMiB = 64;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const byteOrderMark = [0xef, 0xbb, 0xbf];
const end = -1;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const endsScalar = (byte: number): boolean =>
  byte === comma || byte === closeBrace || byte === closeBracket || byte === colon || isSpace(byte);

class Bytes {
  private readonly chunks: Iterator<Uint8Array>;
  private chunk = new Uint8Array(0);
  private at = 0;
  private readonly decoder = new TextDecoder();

  constructor(chunks: Iterable<Uint8Array>) {
    this.chunks = chunks[Symbol.iterator]();
    // Editors of Windows write a byte order mark.
    for (const byte of byteOrderMark) this.take(byte);
  }

  /** @returns false where there are no more. */
  private refill(): boolean {
    for (let next = this.chunks.next(); next.done !== true; next = this.chunks.next()) {
      if (next.value.length === 0) continue;
      this.chunk = next.value as Uint8Array<ArrayBuffer>;
      this.at = 0;
      return true;
    }
    this.chunk = new Uint8Array(0);
    this.at = 0;
    return false;
  }

  /** The next byte that is no space; it is not taken. */
  peek(): number {
    for (;;) {
      for (; this.at < this.chunk.length; this.at++) {
        const byte = this.chunk[this.at] as number;
        if (!isSpace(byte)) return byte;
      }
      if (!this.refill()) return end;
    }
  }

  /** @returns whether it was the next one, and is taken. */
  take(byte: number): boolean {
    if (this.peek() !== byte) return false;
    this.at++;
    return true;
  }

  /** The value that begins here. @param where of messages. */
  value(where: string): unknown {
    const text = this.text(where);
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new SyntaxError(`${where} is no JSON: ${(error as Error).message}`, { cause: error });
    }
  }

  private text(where: string): string {
    const first = this.peek();
    if (first === end) throw new SyntaxError(`it ends within ${where}`);
    const isNested = first === openBrace || first === openBracket;
    const parts: string[] = [];
    let [length, depth, isText, isEscaped] = [0, 0, false, false];
    for (;;) {
      const { chunk, at: from } = this;
      let [at, isWhole] = [from, false];
      for (; at < chunk.length; at++) {
        const byte = chunk[at] as number;
        if (isText) {
          if (isEscaped) isEscaped = false;
          else if (byte === backslash) isEscaped = true;
          else if (byte === quote) {
            isText = false;
            if (depth === 0) {
              at++;
              isWhole = true;
              break;
            }
          }
        } else if (byte === quote) isText = true;
        else if (byte === openBrace || byte === openBracket) depth++;
        else if (isNested && (byte === closeBrace || byte === closeBracket)) {
          if (--depth === 0) {
            at++;
            isWhole = true;
            break;
          }
        } else if (depth === 0 && endsScalar(byte)) {
          isWhole = true;
          break;
        }
      }
      this.at = at;
      length += at - from;
      if (length > maxPieceMiB * bytesPerMiB)
        throw new SyntaxError(`${where} is longer than ${maxPieceMiB} MiB`);
      parts.push(this.decoder.decode(chunk.subarray(from, at), { stream: !isWhole }));
      if (isWhole) return parts.length === 1 ? (parts[0] as string) : parts.join('');
      if (this.refill()) continue;
      throw new SyntaxError(`it ends within ${where}`);
    }
  }
}

/** @param each is called before each member or element. */
function inTurn(bytes: Bytes, closing: number, where: string, each: (index: number) => void): void {
  if (bytes.take(closing)) return;
  for (let index = 0; ; index++) {
    each(index);
    if (bytes.take(comma)) continue;
    if (bytes.take(closing)) return;
    throw new SyntaxError(bytes.peek() === end ? `it ends within ${where}` : `${where} has no comma in it`);
  }
}

/**
 * @param splits names of arrays; of each the elements are handed on in order.
 * @returns the other members; where an array was split, an empty one.
 * @throws SyntaxError where it is not one whole JSON object.
 */
export function readPieces(
  chunks: Iterable<Uint8Array>,
  splits: readonly string[],
  onElement: (name: string, element: unknown, index: number) => void = () => {},
): Record<string, unknown> {
  const bytes = new Bytes(chunks);
  const members = new Map<string, unknown>();
  if (bytes.peek() === end) throw new SyntaxError('it is empty');
  if (!bytes.take(openBrace)) throw new SyntaxError('it is no object');
  inTurn(bytes, closeBrace, 'the document', () => {
    const name = bytes.peek() === quote ? String(bytes.value('a name')) : null;
    if (name === null || !bytes.take(colon))
      throw new SyntaxError(bytes.peek() === end ? 'it ends within the document' : 'a member has no name');
    if (!splits.includes(name) || bytes.peek() !== openBracket) {
      members.set(name, bytes.value(name));
      return;
    }
    bytes.take(openBracket);
    inTurn(bytes, closeBracket, name, (index) => onElement(name, bytes.value(`${name}[${index}]`), index));
    members.set(name, []);
  });
  if (bytes.peek() !== end) throw new SyntaxError('something follows its end');
  return Object.fromEntries(members);
}

/**
 * The names of members as far as its beginning shows them.
 * @param beginning what may be cut anywhere.
 */
export function namesIn(beginning: Uint8Array): string[] {
  const names: string[] = [];
  const bytes = new Bytes([beginning]);
  if (!bytes.take(openBrace)) return [];
  try {
    inTurn(bytes, closeBrace, '', () => {
      const name = bytes.value('');
      if (typeof name !== 'string' || !bytes.take(colon)) throw new SyntaxError('no member');
      names.push(name);
      bytes.value('');
    });
  } catch (error) {
    // It is cut, or no JSON: what was seen before counts.
    if (!(error instanceof SyntaxError)) throw error;
  }
  return names;
}
