/** A JSON object read in pieces, however its bytes come. */
import fc from 'fast-check';
import { namesIn, readPieces } from '../../../adapters/files/json-pieces.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function* chunksOf(text: string, length: number): Generator<Uint8Array> {
  const bytes = bytesOf(text);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

function piecesOf(text: string, length = 7): { elements: unknown[]; rest: Record<string, unknown> } {
  const elements: unknown[] = [];
  const rest = readPieces(chunksOf(text, length), ['Results'], (name, element, index) => {
    expect([name, index]).toEqual(['Results', elements.length]);
    elements.push(element);
  });
  return { elements, rest };
}

test('elements are handed on one by one, and the other members are whole', () => {
  expect(
    piecesOf('{"Messages": [1], "Results": [{"a": "]}"}, [2], "x\\"y", -3.5e2, null], "Next": "t"}'),
  ).toEqual({
    elements: [{ a: ']}' }, [2], 'x"y', -350, null],
    rest: { Messages: [1], Results: [], Next: 't' },
  });
});

test('any document is as JSON.parse reads it, in chunks of any length, printed with any indent', () => {
  fc.assert(
    fc.property(
      fc.record({ Results: fc.array(fc.jsonValue()), Other: fc.jsonValue() }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 0, max: 4 }),
      (document, length, indent) => {
        const text = JSON.stringify(document, null, indent);
        const { elements, rest } = piecesOf(text, length);
        const expected = JSON.parse(text) as typeof document;
        expect(elements).toEqual(expected.Results);
        expect(rest['Other']).toEqual(expected.Other);
      },
    ),
  );
});

test('what is cut anywhere is no whole document', () => {
  const text = '{"Results": [{"a": "b"}, 12], "Other": {"c": [true]}}';
  for (let end = 0; end < text.length; end++) expect(() => piecesOf(text.slice(0, end))).toThrow(SyntaxError);
  expect(piecesOf(text).elements).toEqual([{ a: 'b' }, 12]);
});

test.each([
  ['', 'it is empty'],
  ['[1]', 'it is no object'],
  ['{"Results": [1 2]}', 'Results has no comma in it'],
  ['{"Results": [{"a": }]}', 'Results[0] is no JSON'],
  ['{"Results": [1,]}', 'Results[1] is no JSON'],
  ['{"a": 1}\n{"a": 2}', 'something follows its end'],
  ['{a: 1}', 'a member has no name'],
  ['{"a": 1 ', 'it ends within the document'],
  ['{"Results": [1 ', 'it ends within Results'],
])('%j is refused: %s', (text, why) => {
  expect(() => piecesOf(text)).toThrow(why);
});

test('a byte order mark is passed over', () => {
  expect(piecesOf('\uFEFF{"Results": ["é"]}', 1).elements).toEqual(['é']);
});

test('a member called __proto__ is a member as any other', () => {
  const { rest } = piecesOf('{"__proto__": {"polluted": true}, "Results": []}');
  expect(Object.keys(rest)).toEqual(['__proto__', 'Results']);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('names are known from a beginning that is cut', () => {
  const text = '{"Messages": [], "MetricDataResults": [{"Id": "m0", "Label"';
  expect(namesIn(bytesOf(text))).toEqual(['Messages', 'MetricDataResults']);
  expect(namesIn(bytesOf('[{"a": 1}]'))).toEqual([]);
  expect(namesIn(bytesOf('not JSON'))).toEqual([]);
});
