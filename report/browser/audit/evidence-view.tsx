/** What a finding rests on, in words and in groups. */

import type { AnyEvidence } from '../../../core/schemas/finding.ts';
import { type EvidenceLine, evidenceParts } from '../../wording/evidence.ts';
import { whole } from '../shared/format.ts';
import { Text } from '../shared/text.tsx';

const maxInLine = 12;

function Many({ texts }: { texts: readonly string[] }) {
  const list = (
    <ul class="plain">
      {texts.map((text, i) => (
        <li key={`${i} ${text}`}>
          <Text value={text} />
        </li>
      ))}
    </ul>
  );
  if (texts.length <= maxInLine) return list;
  return (
    <details>
      <summary>{whole(texts.length)} of them</summary>
      {list}
    </details>
  );
}

const fitsBeside = 40;
const isLong = (text: EvidenceLine['text']): boolean =>
  typeof text === 'string' ? text.length > fitsBeside : text.some((one) => one.length > fitsBeside);

function Line({ line: { label, text, isKnown } }: { line: EvidenceLine }) {
  return (
    <div class={isLong(text) ? 'long' : ''}>
      <dt>{label}</dt>
      <dd class={isKnown ? '' : 'unknown'}>
        {typeof text === 'string' ? <Text value={text} /> : <Many texts={text} />}
      </dd>
    </div>
  );
}

export function EvidenceView({ evidence }: { evidence: AnyEvidence }) {
  const parts = evidenceParts(evidence);
  if (parts.length === 0) return null;
  return (
    <>
      <h4>Evidence</h4>
      <div class="evidence">
        {parts.map(({ group, lines }) => (
          <div key={group} class="evidence-part">
            <h5>{group}</h5>
            <dl>
              {lines.map((line) => (
                <Line key={line.label} line={line} />
              ))}
            </dl>
          </div>
        ))}
      </div>
    </>
  );
}
