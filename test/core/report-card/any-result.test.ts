/** Whatever figures a result has: an answer that is one, in finite figures, and text of it. */
import fc from 'fast-check';
import { gradeAnswer } from '../../../core/report-card/answer.ts';
import { fioSchema } from '../../../core/report-card/fio-result.ts';
import { testsOfFio } from '../../../core/report-card/fio-tests.ts';
import { gradeAnswerSchema } from '../../../core/schemas/grade-answer.ts';
import { gradeText } from '../../../report/terminal/grade.ts';
import { fio3, fio21 } from '../../fixtures/fio-output.ts';

const did = { operations: 600, seconds: 60, blockKiB: 8, meanMs: 3, p95Ms: 5, bins: { 1: 300, 9: 300 } };
const options = { rw: 'randread', bs: '8k', numjobs: '16', iodepth: '1' };
const results = [
  fio3({ name: 'a', read: did, options }, { name: 'a', write: did, options }),
  fio3({ name: 'a', read: did, write: did, options: { ...options, rw: 'randrw' } }),
  fio21({ name: 'a', read: did }, { name: 'a', read: did }, { name: 'b', write: did }),
];

const oddFigures = [0, 1e-300, 0.5, 1, 63, 4_096, 2 ** 53, 2 ** 64, -1, 1e300];
const oddTexts = ['', '0', '-1', '1e9', 'nan', '8k,', '4k-8k', 'randtrim', 'readwrite', 'x'.repeat(500)];

/** The same document with another value at its nth figure or text. */
function changed(document: unknown, at: number, value: unknown): unknown {
  let left = at;
  return JSON.parse(JSON.stringify(document), (_key, leaf) => {
    if (typeof leaf !== typeof value) return leaf;
    left -= 1;
    return left === -1 ? value : leaf;
  });
}

const change = fc.tuple(fc.nat(90), fc.constantFrom<unknown>(...oddFigures, ...oddTexts));

test('it is refused, or answered', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...results),
      fc.array(change, { maxLength: 4 }),
      fc.boolean(),
      (result, changes, areRepeats) => {
        const document = changes.reduce<unknown>((sum, [at, value]) => changed(sum, at, value), result);
        const { data } = fioSchema.safeParse(document);
        if (data === undefined) return;
        const run = { tests: testsOfFio(data), monthlyUsd: 10 };
        const answer = gradeAnswer(
          [
            { name: 'one', ...run },
            { name: 'two', ...run },
          ],
          { areRepeats },
        );
        gradeAnswerSchema.parse(JSON.parse(JSON.stringify(answer)));
        expect(gradeText(answer).join('\n')).not.toMatch(/NaN|Infinity|undefined/);
        for (const { modes } of answer.tests)
          for (const { share } of modes) expect(share).toBeLessThanOrEqual(1 + 1e-9);
      },
    ),
    { numRuns: 1_000 },
  );
});
