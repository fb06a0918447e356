/** A letter: its color says what it says, and never more. */
import { allLetters } from '../../../core/report-card/scale.ts';

/** By the scale; what is none of its letters has no color. */
const placeOf = (letter: string): number => (allLetters as readonly string[]).indexOf(letter);

export const Letter = ({ letter, of }: { letter: string; of?: string }) => (
  <span class={`letter letter-${placeOf(letter)}`}>
    {of === undefined ? null : <span class="letter-of">{of} </span>}
    <b>{letter}</b>
  </span>
);
