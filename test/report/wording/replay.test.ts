/** What people read beside a replay: every code once and more, in a file that a person reads in a review. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replayNoteSchema } from '../../../core/schemas/replay-answer.ts';
import { replayNoteText } from '../../../report/wording/replay-notes.ts';
import { replayNoteSamples } from './replay-samples.ts';

const file = join(__dirname, 'replay.txt');
const lines = replayNoteSamples.map((one) => ({ code: one.code, text: replayNoteText(one) }));
const rendered = `${lines.map(({ code, text }) => `${code.padEnd(26)}${text}`).join('\n')}\n`;

test('the lines are those that were read in a review (UPDATE_LINES=1 writes them anew)', () => {
  if (process.env['UPDATE_LINES'] === '1') writeFileSync(file, rendered);
  expect(rendered).toBe(readFileSync(file, 'utf8'));
});

test('no sentence has more than 25 words', () => {
  const sentences = lines.flatMap(({ text }) => text.split(/(?<=[.!?])\s+/));
  expect(sentences.length).toBeGreaterThan(20);
  expect(sentences.filter((one) => one.split(/\s+/).length > 25)).toEqual([]);
});

test('each sample is one by the schema of what --json prints', () => {
  for (const one of replayNoteSamples) expect(replayNoteSchema.parse(one)).toEqual(one);
});
