/** The steps of an option, to read and to copy: a script where they are one, else a list. */
import { useRef } from 'preact/hooks';
import type { Recommendation } from '../../../core/schemas/finding.ts';
import { CopyButton } from '../shared/copy-button.tsx';
import { Text } from '../shared/text.tsx';

/** Sentences stand in it as comments. */
const isScript = ({ steps }: Recommendation): boolean => steps.some((step) => step.startsWith('#'));

const isCommand = (step: string): boolean => /^(aws|sudo) /.test(step);

function Script({ steps }: Pick<Recommendation, 'steps'>) {
  return (
    <code class="script">
      {steps.map((step, i) => (
        <span key={`${i} ${step}`} class={step.startsWith('#') ? 'comment' : ''}>
          <Text value={step} />
          {'\n'}
        </span>
      ))}
    </code>
  );
}

function List({ steps }: Pick<Recommendation, 'steps'>) {
  return (
    <ol>
      {steps.map((step, i) => (
        <li key={`${i} ${step}`}>
          {isCommand(step) ? (
            <code class="script">
              <Text value={step} />
            </code>
          ) : (
            <Text value={step} />
          )}
        </li>
      ))}
    </ol>
  );
}

export function Steps({ advice, number }: { advice: Recommendation; number: number }) {
  const text = useRef<HTMLDivElement>(null);
  if (advice.steps.length === 0) return null;
  return (
    <details class="steps" open={number === 1}>
      <summary>
        Steps of option {number}
        {number === 1 ? ', the advised one' : ''}
      </summary>
      <CopyButton
        text={advice.steps.join('\n')}
        what={`the steps of option ${number}`}
        target={() => text.current}
      />
      <div ref={text}>
        {isScript(advice) ? <Script steps={advice.steps} /> : <List steps={advice.steps} />}
      </div>
    </details>
  );
}
