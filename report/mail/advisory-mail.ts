/** An advisory as a plain-text e-mail. */
import type { Advisory } from '../../core/schemas/advisory.ts';
import { byResource, findingText, headline, resourceText, runLines } from '../advisory-text.ts';

/** SNS takes 100 characters of ASCII as a subject. */
const mostSubjectCharacters = 99;
/** SNS carries 256 KiB with the JSON form in it. */
const mostBytes = 60 * 1_024;

export interface Mail {
  subject: string;
  text: string;
}

export function advisoryMail(advisory: Advisory): Mail {
  const resources = byResource(advisory.told);
  const texts = resources.map((resource) =>
    [
      resourceText(resource),
      ...resource.findings.flatMap((finding) => {
        const { severity, kind, what, advice, proof } = findingText(finding);
        return [
          `  ${severity}: ${kind}: ${what}`,
          ...advice.map((line) => `    -> ${line}`),
          ...(proof === null ? [] : [`    => ${proof}`]),
        ];
      }),
      '',
    ].join('\n'),
  );
  const shown: string[] = [];
  let bytes = 0;
  for (const text of texts) {
    // As JSON, as it is carried.
    bytes += Buffer.byteLength(JSON.stringify(text), 'utf8');
    if (bytes > mostBytes) break;
    shown.push(text);
  }
  const left = resources
    .slice(shown.length)
    .reduce((count, { findings }) => count + findings.length, advisory.notShown);
  const more = left > 0 ? [`... and more, less urgent: ${left}`, ''] : [];
  return {
    subject: headline(advisory)
      .replaceAll(/[^\x20-\x7e]/g, '?')
      .slice(0, mostSubjectCharacters),
    text: [headline(advisory), '', ...shown, ...more, ...runLines(advisory)].join('\n'),
  };
}
