/** What people read of a plan: every code once and more, in a file that a person reads in a review. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planNoteSchema, planReasonSchema } from '../../../core/schemas/plan-answer.ts';
import { refusedSchema } from '../../../core/schemas/plan-refused.ts';
import { routeReasonSchema } from '../../../core/schemas/plan-steps.ts';
import {
  planNoteText,
  planReasonText,
  refusedNearestText,
  refusedReasonText,
  refusedWhatText,
  routeText,
} from '../../../report/wording/plan.ts';
import { becauses, nearests, notes, reasons, routes, whats } from './plan-samples.ts';

const file = join(__dirname, 'plan.txt');

const sections: { title: string; lines: { code: string; text: string }[] }[] = [
  { title: 'Why', lines: reasons.map((one) => ({ code: one.code, text: planReasonText(one) })) },
  {
    title: 'Refused: what',
    lines: whats.map((one) => ({ code: one.code, text: refusedWhatText({ what: [one] }) })),
  },
  {
    title: 'Refused: why',
    lines: becauses.map((one) => ({ code: one.code, text: refusedReasonText({ reason: one }) })),
  },
  {
    title: 'Refused: nearest',
    lines: nearests.map((one) => ({ code: one.code, text: refusedNearestText({ nearest: [one] }) })),
  },
  { title: 'The way', lines: routes.map((one) => ({ code: one.code, text: routeText(one) })) },
  { title: 'Notes', lines: notes.map((one) => ({ code: one.code, text: planNoteText(one) })) },
];

const rendered = `${sections
  .map(({ title, lines }) =>
    [`# ${title}`, ...lines.map(({ code, text }) => `${code.padEnd(26)}${text}`)].join('\n'),
  )
  .join('\n\n')}\n`;

test('the lines are those that were read in a review (UPDATE_LINES=1 writes them anew)', () => {
  if (process.env['UPDATE_LINES'] === '1') writeFileSync(file, rendered);
  expect(rendered).toBe(readFileSync(file, 'utf8'));
});

test('no sentence has more than 25 words', () => {
  const sentences = sections.flatMap(({ lines }) => lines.flatMap(({ text }) => text.split(/(?<=[.!?])\s+/)));
  expect(sentences.length).toBeGreaterThan(80);
  expect(sentences.filter((one) => one.split(/\s+/).length > 25)).toEqual([]);
});

test('each sample is one by the schema of what --json prints', () => {
  for (const one of reasons) expect(planReasonSchema.parse(one)).toEqual(one);
  for (const one of notes) expect(planNoteSchema.parse(one)).toEqual(one);
  for (const one of routes) expect(routeReasonSchema.parse(one)).toEqual(one);
  const [reason] = becauses;
  for (const what of whats)
    expect(refusedSchema.parse({ what: [what], reason, nearest: [] }).what).toEqual([what]);
  for (const one of becauses)
    expect(refusedSchema.parse({ what: whats, reason: one, nearest: [] }).reason).toEqual(one);
  expect(refusedSchema.parse({ what: whats, reason, nearest: nearests }).nearest).toEqual(nearests);
});

test('several refused for one reason are named together; several instances are a choice, figures are not', () => {
  const [st1] = whats.filter(({ code }) => code === 'volume-type');
  expect(refusedWhatText({ what: [st1, st1].filter((one) => one !== undefined) })).toBe('st1, st1');
  const instances = nearests.filter(({ code }) => code === 'instance');
  expect(refusedNearestText({ nearest: instances })).toBe(
    'm5.8xlarge (baseline 30,000 IOPS and 811 MiB/s, 1,121.28 USD a month), or m5.8xlarge (baseline 30,000 IOPS and 811 MiB/s, price unknown)',
  );
  expect(
    refusedNearestText({
      nearest: [
        { code: 'rates', iops: 64_000, throughputMiBps: 500, members: 4, volumeType: 'gp3' },
        { code: 'members', members: 5 },
      ],
    }),
  ).toBe('64,000 IOPS and 500 MiB/s with 4 x gp3; 5 members can');
});

test('text of an account is sanitized', () => {
  const name = 'm5.large\u001b[31m';
  expect(planReasonText({ code: 'arm64', instanceType: name })).not.toContain('\u001b');
  expect(refusedWhatText({ what: [{ code: 'instance-type', instanceType: name, under: [] }] })).not.toContain(
    '\u001b',
  );
});
