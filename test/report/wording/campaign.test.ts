/** What people read of a campaign. */
import { cellTroubles, reportNoteText } from '../../../report/wording/campaign.ts';
import { campaignLines } from './campaign-samples.ts';
import { checkLines } from './coded-lines.ts';

checkLines('campaign.txt', campaignLines);

test('what AWS ends with a full stop has one', () => {
  const failure = { step: 'End its host', error: 'Denied', message: 'You may not.' };
  expect(cellTroubles({ id: 'a', failure, leftBehind: null, hostEnded: null })).toEqual([
    'a failed: End its host: Denied: You may not.',
  ]);
});

test('a host that EC2 ended for another reason gets no line on keys', () => {
  const hostEnded = 'Server.InternalError: Internal error on launch';
  expect(cellTroubles({ id: 'a', failure: null, leftBehind: null, hostEnded })).toEqual([
    'a: EC2 ended its host: Server.InternalError: Internal error on launch.',
  ]);
});

test('text of AWS and of a host is sanitized', () => {
  const reason = 'no\u001b[31m\nmore';
  const note = reportNoteText({
    code: 'not-read',
    unread: [{ code: 'limits', cellId: 'a\u202e', reason }],
  });
  expect(note).toContain('\\u{1b}[31m\\u{a}more');
  expect(note).toContain('a\\u{202e}');
  expect(reportNoteText({ code: 'quotas-not-read', reason })).toContain('\\u{1b}[31m\\u{a}more');
  expect(reportNoteText({ code: 'of-region-catalog', text: reason })).toContain('\\u{1b}[31m\\u{a}more');
});
