/** What the functions log: one line of JSON an entry, whatever an error or an account says. */
import fc from 'fast-check';
import { z } from 'zod';
import { unreadable } from '../../adapters/aws/failure.ts';
import { failureText } from '../../core/failure-text.ts';
import { logger } from '../../lambdas/shared/powertools.ts';
import { awsError } from '../adapters/aws/aws-error.ts';
import { untrustedText } from '../fixtures/untrusted-text.ts';
import { restless } from './complaints.ts';

/** An event of CloudWatch Logs: https://docs.aws.amazon.com/goto/WebAPI/logs/PutLogEvents, read 2026-11-21. */
const maxBytesOfEvent = 1_048_576 - 26;

/** What stood on standard output and standard error, as text. */
async function logged(log: () => void): Promise<string> {
  const written: string[] = [];
  const spies = ([process.stdout, process.stderr] as const).map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0),
  );
  try {
    log();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return written.join('');
}

/** The one entry; it fails where there are more, or where it is none. */
function theEntry(text: string): Record<string, unknown> {
  const [line, ...others] = text.split('\n');
  expect(others).toEqual(['']);
  expect(line).not.toMatch(restless);
  expect(Buffer.byteLength(text, 'utf8')).toBeLessThan(maxBytesOfEvent);
  return JSON.parse(line ?? '') as Record<string, unknown>;
}

/** As the edge of every function logs what was thrown. */
const failed = (error: Error): Promise<string> => logged(() => logger.error('failed', error));

test('an error of AWS, with its code, message and cause', async () => {
  await fc.assert(
    fc.asyncProperty(untrustedText, untrustedText, untrustedText, async (code, message, asked) => {
      const cause = Object.assign(awsError(code, message), { $response: message, notes: [message] });
      const entry = theEntry(await failed(unreadable(asked, cause)));
      expect(entry).toMatchObject({ level: 'ERROR', message: 'failed', error: { name: 'Unreadable' } });
    }),
    { numRuns: 60 },
  );
});

test('an error of somebody else, and what a step tells', async () => {
  await fc.assert(
    fc.asyncProperty(untrustedText, async (text) => {
      expect(theEntry(await failed(new Error(text)))).toMatchObject({ level: 'ERROR' });
      const notified = await logged(() => logger.info('prices', { region: text, notices: [text, text] }));
      expect(theEntry(notified)).toMatchObject({ level: 'INFO', message: 'prices' });
    }),
    { numRuns: 60 },
  );
});

test('an error that carries a document, and a list without end, are entries that are taken', async () => {
  const many = Array.from({ length: 20_000 }, (_, i) => `${i} ${'\u{10ffff}'.repeat(1_000)}`);
  const { error } = z.array(z.number()).safeParse(many);
  theEntry(await failed(unreadable('s3:GetObject', error)));
  theEntry(await failed(Object.assign(new Error(many.join()), { reasons: many })));
  const { notices } = theEntry(await logged(() => logger.info('prices', { notices: many })));
  expect([(notices as string[]).length, (notices as string[]).at(-1)]).toEqual([21, '... and 19980 more']);
});

test('why a step failed is one line of at most 400 characters, and so is what AWS said', () => {
  fc.assert(
    fc.property(untrustedText, untrustedText, (code, message) => {
      for (const cause of [message, JSON.stringify({ errorMessage: message })]) {
        const text = failureText(code, cause);
        expect([text.isWellFormed(), restless.test(text)]).toEqual([true, false]);
        // Each may have become \u{10ffff}.
        expect([...text].length).toBeLessThanOrEqual(400 * 10);
      }
      const said = unreadable('ec2:DescribeVolumes', awsError(code, message)).message;
      expect([said.isWellFormed(), restless.test(said)]).toEqual([true, false]);
    }),
  );
});
