/** What a question is asked with: figures, choices and checks, each with its label and its one line of what is not right. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { figure } from '../core/figures.ts';
import { sanitize } from '../core/sanitize.ts';
import { lastPosition, movedTo, positionOf, type Range, typedWithin } from './slider-scale.ts';

/** A group of what is asked, with its name. */
export function Questions({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <fieldset class="questions">
      <legend>{name}</legend>
      <div class="questions-grid">{children}</div>
    </fieldset>
  );
}

/** A line below an input, which names it in `aria-describedby`; empty: there is none. */
export const Hint = ({ id, text }: { id: string; text: string }) =>
  text === '' ? null : (
    <p id={id} class="ask-hint">
      {text}
    </p>
  );

/** Ids of an input's lines, for `aria-describedby`. */
const describedBy = (...ids: (string | false)[]): string | undefined =>
  ids.filter((id) => id !== false).join(' ') || undefined;

interface Bounds {
  min: number;
  max: number;
  /** 1 by default: whole figures. 0: any. */
  step?: number;
}

const withUnit = (value: number, unit: string): string =>
  `${figure(value, 3)}${unit === '' ? '' : ` ${unit}`}`;

const smallest = (step: number): number => (step === 0 ? 0.001 : step);

function boundsText({ min, max, step = 1 }: Bounds): string {
  const kind = step >= 1 ? 'a whole number' : 'a number';
  return `${kind} from ${figure(min, 3)} to ${figure(max, 3)}`;
}

interface TypedProps {
  id: string;
  unit?: string;
  text: string;
  hintId: string | false;
  /** Null: what is typed is right. */
  error: string | null;
  /** Of the input alone. */
  attributes: {
    inputMode?: 'decimal';
    autocapitalize?: 'none';
    maxLength: number;
    placeholder?: string;
    list: string | undefined;
  };
  onText: (text: string) => void;
  onLeave: () => void;
}

function Typed({ id, unit = '', text, hintId, error, attributes, onText, onLeave }: TypedProps) {
  const errorId = `${id}-error`;
  return (
    <>
      <div class="typed">
        <input
          id={id}
          type="text"
          autocomplete="off"
          spellcheck={false}
          {...attributes}
          value={text}
          aria-invalid={error === null ? undefined : 'true'}
          aria-describedby={describedBy(unit !== '' && `${id}-unit`, hintId, error !== null && errorId)}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
          onBlur={onLeave}
        />
        {unit === '' ? null : (
          <span id={`${id}-unit`} class="unit">
            {unit}
          </span>
        )}
      </div>
      <p id={errorId} class="ask-error" role="alert">
        {error}
      </p>
    </>
  );
}

interface TextFieldProps {
  label: string;
  text: string;
  placeholder?: string;
  hint: string;
  suggestions?: readonly string[];
  maxLength?: number;
  error?: string | null;
  onText: (text: string) => void;
  onLeave?: () => void;
}

/** Words with a form of their own: a layout, the name of a type, a time. */
export function TextField(props: TextFieldProps) {
  const { label, text, placeholder = '', hint, suggestions, maxLength = 60, error = null } = props;
  const { onText, onLeave = () => {} } = props;
  const id = useId();
  const hasList = suggestions !== undefined && suggestions.length > 0;
  // Of hundreds, while somebody types.
  const list = useMemo(
    () => (
      <datalist id={`${id}-list`}>
        {suggestions?.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    ),
    [suggestions, id],
  );
  return (
    <div class="ask">
      <label for={id}>{label}</label>
      <Typed
        {...{ id, text, error }}
        hintId={`${id}-hint`}
        attributes={{
          autocapitalize: 'none',
          maxLength,
          placeholder,
          list: hasList ? `${id}-list` : undefined,
        }}
        {...{ onText, onLeave }}
      />
      {hasList ? list : null}
      <Hint id={`${id}-hint`} text={hint} />
    </div>
  );
}

const figureAttributes = { inputMode: 'decimal', maxLength: 24, list: undefined } as const;

interface NumberFieldProps extends Bounds {
  label: string;
  unit?: string;
  value: number;
  /** Of the slider; none: there is no slider. */
  scale?: Range['scale'] | 'none';
  hint?: string;
  onChange: (value: number) => void;
}

/** A figure, typed or moved to. What is out of its range is said beside it; the last good value stays in use. */
export function NumberField({
  label,
  unit = '',
  value,
  scale = 'linear',
  hint = '',
  onChange,
  ...bounds
}: NumberFieldProps) {
  const id = useId();
  const { min, max, step = 1 } = bounds;
  const [text, setText] = useState(String(value));
  const typed = typedWithin(text, { min, max, step });
  // From outside: the slider, a link, a button that sets several.
  useEffect(
    () => setText((before) => (typedWithin(before, { min, max, step }) === value ? before : String(value))),
    [value, min, max, step],
  );
  const range: Range = { min, max, step: smallest(step), scale: scale === 'log' ? 'log' : 'linear' };
  const shown = withUnit(value, unit);
  return (
    <div class="ask">
      <label for={id}>{label}</label>
      <Typed
        {...{ id, unit, text }}
        attributes={figureAttributes}
        hintId={hint !== '' && `${id}-hint`}
        error={typed === null ? `It takes ${boundsText(bounds)}; ${shown} is used.` : null}
        onText={(next) => {
          setText(next);
          const known = typedWithin(next, { min, max, step });
          if (known !== null && known !== value) onChange(known);
        }}
        onLeave={() => {
          if (typed !== null) setText(String(value));
        }}
      />
      {scale === 'none' ? null : (
        <input
          type="range"
          min={0}
          max={lastPosition}
          step={1}
          value={positionOf(value, range)}
          aria-label={`${label}, slider`}
          aria-valuetext={shown}
          onInput={({ currentTarget }) => {
            const next = movedTo(Number(currentTarget.value), value, range);
            setText(String(next));
            if (next !== value) onChange(next);
          }}
        />
      )}
      <Hint id={`${id}-hint`} text={hint} />
    </div>
  );
}

interface OptionalNumberFieldProps extends Bounds {
  label: string;
  unit?: string;
  /** Null: nothing is said. */
  value: number | null;
  hint?: string;
  onChange: (value: number | null) => void;
}

/** A figure that may be left out. */
export function OptionalNumberField({
  label,
  unit = '',
  value,
  hint = '',
  onChange,
  ...bounds
}: OptionalNumberFieldProps) {
  const id = useId();
  const { min, max, step = 1 } = bounds;
  const own = value === null ? '' : String(value);
  const [text, setText] = useState(own);
  const parsed = (next: string): number | null | undefined => {
    if (next.trim() === '') return null;
    return typedWithin(next, { min, max, step }) ?? undefined;
  };
  useEffect(() => setText((before) => (parsed(before) === value ? before : own)), [value]);
  const used = value === null ? 'nothing is' : `${withUnit(value, unit)} is`;
  return (
    <div class="ask">
      <label for={id}>{label}</label>
      <Typed
        {...{ id, unit, text }}
        attributes={figureAttributes}
        hintId={hint !== '' && `${id}-hint`}
        error={
          parsed(text) === undefined ? `It takes ${boundsText(bounds)}, or nothing; ${used} used.` : null
        }
        onText={(next) => {
          setText(next);
          const said = parsed(next);
          if (said !== undefined && said !== value) onChange(said);
        }}
        onLeave={() => {
          if (parsed(text) !== undefined) setText(own);
        }}
      />
      <Hint id={`${id}-hint`} text={hint} />
    </div>
  );
}

interface Choice<Value extends string> {
  value: Value;
  text: string;
}

interface ChoiceFieldProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
  /** Of a few, all in sight: radios. */
  look?: 'select' | 'radios';
  hint?: string;
  onChange: (value: Value) => void;
}

/** One of several. */
export function ChoiceField<Value extends string>({
  label,
  value,
  choices,
  look = 'select',
  hint = '',
  onChange,
}: ChoiceFieldProps<Value>) {
  const id = useId();
  const hintLine = <Hint id={`${id}-hint`} text={hint} />;
  if (look === 'radios')
    return (
      <fieldset class="ask" aria-describedby={describedBy(hint !== '' && `${id}-hint`)}>
        <legend>{label}</legend>
        <div class="radios">
          {choices.map((one) => (
            <label key={one.value}>
              <input
                type="radio"
                name={id}
                checked={one.value === value}
                onChange={() => onChange(one.value)}
              />
              <span>{sanitize(one.text, 80)}</span>
            </label>
          ))}
        </div>
        {hintLine}
      </fieldset>
    );
  return (
    <div class="ask">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-describedby={describedBy(hint !== '' && `${id}-hint`)}
        onChange={({ currentTarget }) => {
          const chosen = choices.find((one) => one.value === currentTarget.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {choices.map((one) => (
          <option key={one.value} value={one.value}>
            {sanitize(one.text, 80)}
          </option>
        ))}
      </select>
      {hintLine}
    </div>
  );
}

interface CheckFieldProps {
  label: string;
  isChecked: boolean;
  hint?: string;
  isDisabled?: boolean;
  onChange: (isChecked: boolean) => void;
}

export function CheckField({ label, isChecked, hint = '', isDisabled = false, onChange }: CheckFieldProps) {
  const id = useId();
  return (
    <div class="ask check">
      <label>
        <input
          type="checkbox"
          checked={isChecked}
          disabled={isDisabled}
          aria-describedby={describedBy(hint !== '' && `${id}-hint`)}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
      <Hint id={`${id}-hint`} text={hint} />
    </div>
  );
}

interface ChoicesFieldProps<Value extends string> {
  label: string;
  values: readonly Value[];
  choices: readonly Choice<Value>[];
  onChange: (values: readonly Value[]) => void;
}

/** Several of them; the last one stays. */
export function ChoicesField<Value extends string>({
  label,
  values,
  choices,
  onChange,
}: ChoicesFieldProps<Value>) {
  return (
    <fieldset class="ask">
      <legend>{label}</legend>
      <div class="checks">
        {choices.map(({ value, text }) => {
          const isChecked = values.includes(value);
          return (
            <CheckField
              key={value}
              label={text}
              isChecked={isChecked}
              isDisabled={isChecked && values.length === 1}
              onChange={(isNow) =>
                onChange(
                  choices
                    .map((one) => one.value)
                    .filter((one) => (one === value ? isNow : values.includes(one))),
                )
              }
            />
          );
        })}
      </div>
    </fieldset>
  );
}
