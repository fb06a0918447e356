/** Controls that narrow a table down. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { sanitize } from '../../../core/sanitize.ts';
import { whole } from '../shared/format.ts';

interface ChoiceProps {
  name: string;
  value: string;
  values: readonly string[];
  words?: (value: string) => string;
  /** Values that make it worth choosing: one, where not everything has one. */
  fewest?: number;
  onChange: (value: string) => void;
}

/** Left out where there is nothing to choose from. */
export function Choice({ name, value, values, words = (one) => one, fewest = 2, onChange }: ChoiceProps) {
  const id = useId();
  if (values.length < fewest && value === '') return null;
  const offered = value === '' || values.includes(value) ? values : [...values, value];
  return (
    <div class="field">
      <label for={id}>{name}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        <option value="">All</option>
        {offered.map((one) => (
          <option key={one} value={one}>
            {sanitize(words(one), 60)}
          </option>
        ))}
      </select>
    </div>
  );
}

interface SearchProps {
  name: string;
  hint: string;
  value: string;
  onChange: (value: string) => void;
}

export function Search({ name, hint, value, onChange }: SearchProps) {
  const id = useId();
  return (
    <div class="field grow">
      <label for={id}>{name}</label>
      <input
        id={id}
        type="search"
        value={value}
        placeholder={hint}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}

interface FilterBarProps {
  label: string;
  shown: number;
  all: number;
  /** What is counted, in the plural. */
  what: string;
  isFiltered: boolean;
  onClear: () => void;
  onDownload: () => void;
  children: ComponentChildren;
}

export function FilterBar({
  label,
  shown,
  all,
  what,
  isFiltered,
  onClear,
  onDownload,
  children,
}: FilterBarProps) {
  return (
    <>
      <search class="filters no-print" aria-label={label}>
        {children}
      </search>
      <div class="shown">
        <p role="status">
          {whole(shown)} of {whole(all)} {what} shown
        </p>
        {isFiltered ? (
          <button type="button" class="button small no-print" onClick={onClear}>
            Clear the filter
          </button>
        ) : null}
        <button type="button" class="button small no-print" disabled={shown === 0} onClick={onDownload}>
          Save as CSV
        </button>
      </div>
    </>
  );
}
