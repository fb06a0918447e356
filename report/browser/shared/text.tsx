/** Text of the account: nothing in it acts, it turns no text around it, and its invisible characters are seen. */
import { sanitize } from '../../../core/sanitize.ts';

interface TextProps {
  value: string;
  /** What is longer is cut, with its beginning as a tooltip. Without it the text is whole. */
  most?: number;
}

const maxInTooltip = 1_000;

export function Text({ value, most = Number.POSITIVE_INFINITY }: TextProps) {
  const shown = sanitize(value, most);
  return value.length > most ? (
    <bdi class="text" title={sanitize(value, maxInTooltip)}>
      {shown}
    </bdi>
  ) : (
    <bdi class="text">{shown}</bdi>
  );
}
