/** A part of the page that can be linked to. */
import type { ComponentChildren } from 'preact';

interface SectionProps {
  id: string;
  title: string;
  children: ComponentChildren;
}

export const Section = ({ id, title, children }: SectionProps) => (
  <section class="part" id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    {children}
  </section>
);
