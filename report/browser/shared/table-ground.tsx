/** What a wide table lies on: it scrolls in it, also by the keyboard. */
import type { ComponentChildren } from 'preact';

interface TableGroundProps {
  label: string;
  /** As high as a few rows: the others are scrolled to. */
  isLow?: boolean;
  children: ComponentChildren;
}

export function TableGround({ label, isLow = false, children }: TableGroundProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section class={isLow ? 'table-ground low' : 'table-ground'} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
