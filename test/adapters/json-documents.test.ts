/** JSON documents one after the other in a text. */
import fc from 'fast-check';
import { jsonDocuments } from '../../adapters/json-documents.ts';

test('whatever they hold, they come back in their order', () => {
  const documents = fc.array(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())));
  fc.assert(
    fc.property(documents, fc.constantFrom('', '\n', ' \n\n'), (all, between) => {
      const text = all.map((one) => JSON.stringify(one)).join(between);
      expect(jsonDocuments(text)).toEqual(all.map((one) => JSON.parse(JSON.stringify(one))));
    }),
  );
});

test.each(['{"a": "}"', '{} x', '{"a": 1}}', '"\\'])('%s is not whole', (text) => {
  expect(() => jsonDocuments(text)).toThrow(SyntaxError);
});
