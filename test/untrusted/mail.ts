/** A mail, as SNS takes it (https://docs.aws.amazon.com/sns/latest/api/API_Publish.html). */
import { complaintsIf, restless } from './complaints.ts';

/** As it was published. */
export interface PublishedMail {
  Subject: string;
  Message: string;
}

const maxBytes = 256 * 1_024;

/** The beginnings of our lines; a line about a resource ends in its Region, its account and how urgent it is. */
const ours = new RegExp(
  [
    '^$',
    '^stripewise: ',
    String.raw`^\d\. (?:critical|warning|info): `,
    '^ {3}(?:Fix|Benchmark): ',
    '^ {2}(?:Problem|Evidence|Fix|Effect|Cost|Or|Benchmark) ',
    String.raw`^(?: {2}|Open report: )https://reports\.example/[\w/#-]+$`,
    String.raw`^and \d[\d,]* more`,
    String.raw`^\d{1,2} [A-Z][a-z]{2} `,
    '^1 of 2 accounts was not read: ',
    '^(?:This audit is partial|Seen between two audits|API cost )',
    String.raw`us-east-1 (?:111122223333|.* \(111122223333\)) \((?:critical|warning|info)\)$`,
  ].join('|'),
);

export function mailComplaints({ Subject, Message }: PublishedMail): string[] {
  const { email = '' } = JSON.parse(Message) as { email?: string };
  const lines = email.split('\n');
  return complaintsIf(
    [!/^[\x21-\x7e][\x20-\x7e]{0,98}$/.test(Subject), 'a subject that SNS refuses'],
    [Buffer.byteLength(Message, 'utf8') + Subject.length > maxBytes, 'too large'],
    [restless.test(Message), 'a character that a queue refuses, or a reader acts on'],
    [lines.some((line) => restless.test(line)), 'a character that a reader acts on'],
    [lines.some((line) => !ours.test(line)), 'a line of its own'],
    [lines.length < 10, 'findings are missing'],
  );
}
