/** What people read of a report card. */
import { gradeNoteText, slowMembersLine } from '../../../report/wording/report-card.ts';
import { checkLines } from './coded-lines.ts';
import { reportCardLines } from './report-card-samples.ts';

checkLines('report-card.txt', reportCardLines);

test('where no member is slow nothing is said', () => {
  expect(slowMembersLine({ members: [] })).toBeNull();
});

test('text of a file is sanitized', () => {
  const note = gradeNoteText({ code: 'odd-log-lines', file: 'a\u001b[2J', lines: 1, first: 'b\u202e:1' });
  expect(note).toContain('a\\u{1b}[2J');
  expect(note).toContain('b\\u{202e}:1');
});
