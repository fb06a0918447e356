/** The steps of an option, to read and to copy: a script, in which sentences stand as comments. */
import { useRef } from 'preact/hooks';
import type { Recommendation } from '../../../core/schemas/finding.ts';
import { stepLines } from '../../wording/steps.ts';
import { CopyButton } from '../shared/copy-button.tsx';
import { Text } from '../shared/text.tsx';

export function Steps({ recommendation, number }: { recommendation: Recommendation; number: number }) {
  const text = useRef<HTMLDivElement>(null);
  if (recommendation.steps.length === 0) return null;
  const lines = stepLines(recommendation.steps);
  return (
    <details class="steps" open={number === 1}>
      <summary>
        Steps of option {number}
        {number === 1 ? ', the recommended one' : ''}
      </summary>
      <CopyButton
        text={lines.join('\n')}
        what={`the steps of option ${number}`}
        target={() => text.current}
      />
      <div ref={text}>
        <code class="script">
          {lines.map((line, i) => (
            <span key={`${i} ${line}`} class={line.startsWith('#') ? 'comment' : ''}>
              <Text value={line} />
              {'\n'}
            </span>
          ))}
        </code>
      </div>
    </details>
  );
}
