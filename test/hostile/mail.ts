/** A mail, as SNS takes it (https://docs.aws.amazon.com/sns/latest/api/API_Publish.html). */
import { complaintsIf, restless } from './complaints.ts';

/** As it was published. */
export interface PublishedMail {
  Subject: string;
  Message: string;
}

const mostBytes = 256 * 1_024;

/** The beginnings of our lines; a line about a resource ends in its Region and account. */
const ours =
  /^(?:$|stripewise: | {2}(?:critical|warning|info): [a-z-]+: | {4}-> |(?: {4}|Open report: )https:\/\/reports\.example\/[\w/#-]+$|\.\.\. and more|2026-|This audit is|All of it: |Of those open |The advice could save |… and \d+ more open)|us-east-1 · 111122223333$/;

export function mailComplaints({ Subject, Message }: PublishedMail): string[] {
  const { email = '' } = JSON.parse(Message) as { email?: string };
  const lines = email.split('\n');
  return complaintsIf(
    [!/^[\x21-\x7e][\x20-\x7e]{0,98}$/.test(Subject), 'a subject that SNS refuses'],
    [Buffer.byteLength(Message, 'utf8') + Subject.length > mostBytes, 'too large'],
    [restless.test(Message), 'a character that a queue refuses, or a reader acts on'],
    [lines.some((line) => restless.test(line)), 'a character that a reader acts on'],
    [lines.some((line) => !ours.test(line)), 'a line of its own'],
    [lines.length < 10, 'findings are missing'],
  );
}
