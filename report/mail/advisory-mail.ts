/** An advisory as a plain-text e-mail. */
import type { Advisory } from '../../core/schemas/advisory.ts';
import { openReport } from '../address.ts';
import {
  byResource,
  findingText,
  headline,
  resourceText,
  runLines,
  type ToldResource,
} from '../advisory-text.ts';
import { bytesOf, type Mail, mostBytes, subjectOf } from './mail.ts';

/** What is told goes before links: some room is kept for these. */
const mostBytesWithLinks = 64 * 1_024;

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
  const { reportUrl } = advisory;
  const open = reportUrl === null ? [] : [`${openReport}: ${reportUrl}`];
  return {
    subject: subjectOf(headline(advisory)),
    text: [headline(advisory), '', ...shown, ...more, ...open, ...runLines(advisory)].join('\n'),
  };
}
