/** What a plain-text e-mail by SNS is made of. */

export interface Mail {
  subject: string;
  text: string;
}

/** SNS takes 100 characters of ASCII as a subject. */
const mostSubjectCharacters = 99;
/** SNS carries 256 KiB with the JSON form in it. */
export const mostBytes = 60 * 1_024;

export const subjectOf = (title: string): string =>
  title.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, mostSubjectCharacters);

/** As JSON, as it is carried. */
export const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text), 'utf8');
