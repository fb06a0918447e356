/** Which time of an archive is audited. */
import { useState } from 'preact/hooks';
import { longestArchivedDays, momentOf } from '../../core/audit/batches.ts';
import { msPerSecond } from '../../core/units.ts';
import { NumberField, Questions, TextField } from '../form.tsx';

interface WindowFieldsProps {
  lookbackDays: number;
  onLookback: (days: number) => void;
  /** Null: the end of the archive. */
  onUntil: (seconds: number | null) => void;
}

/** Undefined: it is no time. */
function secondsOf(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  try {
    return momentOf(text.trim()).getTime() / msPerSecond;
  } catch {
    return undefined;
  }
}

export function WindowFields({ lookbackDays, onLookback, onUntil }: WindowFieldsProps) {
  const [text, setText] = useState('');
  return (
    <Questions name="Window of the archive">
      <NumberField
        label="Days back"
        unit="days"
        value={lookbackDays}
        min={1}
        max={longestArchivedDays}
        scale="none"
        onChange={onLookback}
      />
      <TextField
        label="Until"
        text={text}
        maxLength={40}
        error={
          secondsOf(text) === undefined
            ? 'It takes a time like 2026-11-20T14:30Z, or nothing; the end of the archive is used.'
            : null
        }
        hint="Like 2026-11-20T14:30Z. Empty: the end of the archive."
        onText={(next) => {
          setText(next);
          onUntil(secondsOf(next) ?? null);
        }}
      />
    </Questions>
  );
}
