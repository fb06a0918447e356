/** The page of a report card, in one file. */
import { figure } from '../../core/figures.ts';
import type { CardReport } from '../../core/report/card-report.ts';
import { sanitize } from '../../core/sanitize.ts';
import type { GradedTestAnswer } from '../../core/schemas/grade-answer.ts';
import { cellTroubles } from '../wording/campaign.ts';
import { loadText, usersText, whyLines } from '../wording/report-card.ts';
import { pageDocument } from './document.ts';

const maxLines = 200;

function loadLine({ access, blockKiB, users }: GradedTestAnswer): string {
  const load = access === null || blockKiB === null ? [] : [loadText({ access, blockKiB })];
  const asking = users === null ? [] : [usersText(users)];
  const all = [...load, ...asking].join(', ');
  return all === '' ? '' : ` (${all})`;
}

function lettersLine(test: GradedTestAnswer): string {
  const letters = [
    ...(test.grade === null ? [] : [`latency ${test.grade}`]),
    ...(test.scalingGrade === null ? [] : [`scaling ${test.scalingGrade}`]),
  ];
  const said = letters.length === 0 ? 'no letter' : letters.join(', ');
  return [
    `${sanitize(test.run)}, ${sanitize(test.name, 120)}${loadLine(test)}: ${said};`,
    `${figure(test.iops, 0)} IOPS. ${whyLines(test).join(' ')}`,
  ].join(' ');
}

function cardLines({ madeAt, label, grades, campaign }: CardReport): string[] {
  const lines = grades.tests.slice(0, maxLines).map(lettersLine);
  const more = grades.tests.length - lines.length;
  const failed = (campaign?.cells ?? []).flatMap(cellTroubles);
  return [
    ...(label === null ? [] : [sanitize(label, 200)]),
    `Made at ${sanitize(madeAt)}.`,
    ...(lines.length === 0 ? ['Nothing was measured.'] : lines),
    ...(more > 0 ? [`${figure(more)} more tests are in the page.`] : []),
    ...failed,
  ];
}

/** @throws Error where the client of the page cannot stand in a file. */
export async function cardPage(card: CardReport): Promise<string> {
  const client = await import('./generated/card-client.js');
  return pageDocument({ title: card.title, client, data: card, series: [], lines: cardLines(card) });
}
