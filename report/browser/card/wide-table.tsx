/** A table that scrolls by itself where the page is narrower; who has no mouse can reach it too. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface WideTableProps {
  /** Above it: it stays where the table scrolls. */
  caption: string;
  /** Ids of what else names it, where several have the same caption. */
  within?: string;
  children: ComponentChildren;
}

export function WideTable({ caption, within = '', children }: WideTableProps) {
  const id = useId();
  const names = `${id} ${within}`.trim();
  return (
    <div class="wide-table">
      <p class="caption" id={id} aria-hidden="true">
        {caption}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <section class="table-ground" aria-labelledby={names} tabIndex={0}>
        <table>
          <caption class="unseen">{caption}</caption>
          {children}
        </table>
      </section>
    </div>
  );
}
