/** An instance type, typed or chosen from those that have credits. */
import { useEffect, useState } from 'preact/hooks';
import { TextField } from '../form.tsx';
import { burstFields } from './burst-state.ts';

interface TypeFieldProps {
  value: string;
  types: readonly string[];
  onChange: (instanceType: string) => void;
}

export function TypeField({ value, types, onChange }: TypeFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <TextField
      label="Instance type"
      text={text}
      suggestions={types}
      maxLength={46}
      hint="The list has those whose EBS maximum is above their baseline."
      onText={(next) => {
        const typed = next.trim().toLowerCase();
        setText(next);
        if (burstFields.instanceType.read(typed) !== null) onChange(typed);
      }}
      onLeave={() => setText(value)}
    />
  );
}
