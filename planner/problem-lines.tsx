/** What was not right, one line each; of many the first. */
import { figure } from '../core/figures.ts';
import { Text } from '../report/browser/shared/text.tsx';

const maxLines = 5;

interface ProblemLinesProps {
  lines: readonly string[];
  onHide: () => void;
}

export function ProblemLines({ lines, onHide }: ProblemLinesProps) {
  const more = lines.length - maxLines;
  return (
    <div role="alert">
      {lines.length === 0 ? null : (
        <div class="banner problems">
          <ul>
            {lines.slice(0, maxLines).map((line, index) => (
              <li key={index}>
                <Text value={line} />
              </li>
            ))}
            {more > 0 ? <li>and {figure(more, 0)} more</li> : null}
          </ul>
          <button
            type="button"
            class="button tall no-print"
            aria-label="Hide these messages"
            onClick={onHide}
          >
            Hide
          </button>
        </div>
      )}
    </div>
  );
}
