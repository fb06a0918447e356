/** What a plain-text e-mail by SNS is made of. */
import { labelledLine } from '../wording/finding-lines.ts';
import type { BlockLine } from '../wording/message.ts';

export interface Mail {
  subject: string;
  text: string;
}

/** SNS takes 100 characters of ASCII as a subject. */
const mostSubjectCharacters = 99;
/** SNS carries 256 KiB with the JSON form in it. */
export const mostBytes = 60 * 1_024;

/** The first sentences that have room; of a first one that has none, whole words. */
export function subjectOf(title: string): string {
  const sentences = title.replaceAll(/[^\x20-\x7e]/g, '?').split(/(?<=\.) /);
  let subject = sentences.shift() ?? '';
  for (const sentence of sentences) {
    if (subject.length + 1 + sentence.length > mostSubjectCharacters) break;
    subject = `${subject} ${sentence}`;
  }
  if (subject.length <= mostSubjectCharacters) return subject;
  const head = subject.slice(0, mostSubjectCharacters - '...'.length);
  const end = head.lastIndexOf(' ');
  return `${end < head.length / 2 ? head : head.slice(0, end)}...`;
}

/** As JSON, as it is carried. */
export const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text), 'utf8');

/** Below what it is about. */
export const mailLine = (line: BlockLine): string => `  ${labelledLine(line)}`;
