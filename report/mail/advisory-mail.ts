/** An advisory as a plain-text e-mail. */
import type { Advisory } from '../../core/schemas/advisory.ts';
import {
  byResource,
  findingText,
  headline,
  resourceText,
  runLines,
  type ToldResource,
} from '../advisory-text.ts';

/** SNS takes 100 characters of ASCII as a subject. */
const mostSubjectCharacters = 99;
/** SNS carries 256 KiB with the JSON form in it. */
const mostBytes = 60 * 1_024;
/** What is told goes before links: some room is kept for these. */
const mostBytesWithLinks = 64 * 1_024;

export interface Mail {
  subject: string;
  text: string;
}

export const subjectOf = (title: string): string =>
  title.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, mostSubjectCharacters);

/** As JSON, as it is carried. */
const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text), 'utf8');

function textOf(resource: ToldResource, withLinks: boolean): string {
  const lines = resource.findings.flatMap((finding) => {
    const { severity, kind, what, advice, proof } = findingText(finding);
    return [
      `  ${severity}: ${kind}: ${what}`,
      ...advice.map((line) => `    -> ${line}`),
      ...(proof === null ? [] : [`    => ${proof}`]),
      ...(withLinks && finding.url !== null ? [`    ${finding.url}`] : []),
    ];
  });
  return [resourceText(resource), ...lines, ''].join('\n');
}

export function advisoryMail(advisory: Advisory): Mail {
  const resources = byResource(advisory.told);
  const shown: string[] = [];
  let bytes = 0;
  for (const resource of resources) {
    const text = textOf(resource, false);
    bytes += bytesOf(text);
    if (bytes > mostBytes) break;
    shown.push(text);
  }
  for (const [index, text] of shown.entries()) {
    const linked = textOf(resources[index] as ToldResource, true);
    const more = bytesOf(linked) - bytesOf(text);
    if (bytes + more > mostBytesWithLinks) break;
    bytes += more;
    shown[index] = linked;
  }
  const left = resources
    .slice(shown.length)
    .reduce((count, { findings }) => count + findings.length, advisory.notShown);
  const more = left > 0 ? [`... and more, less urgent: ${left}`, ''] : [];
  const reportUrl = advisory.run?.reportUrl ?? null;
  const open = reportUrl === null ? [] : [`Open the report: ${reportUrl}`];
  return {
    subject: subjectOf(headline(advisory)),
    text: [headline(advisory), '', ...shown, ...more, ...open, ...runLines(advisory)].join('\n'),
  };
}
