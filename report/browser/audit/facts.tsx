/** Figures that are seen first, and facts by their names. */
import type { ComponentChildren } from 'preact';

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Tile({ figure, text, tone = '' }: { figure: string; text: string; tone?: string }) {
  return (
    <li class={`tile ${tone}`}>
      <strong>{figure}</strong>
      <span>{text}</span>
    </li>
  );
}
