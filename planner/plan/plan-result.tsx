/** The answer: first what is cheapest and what it costs, then all options, one of them explained with its steps. */
import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { PlanOrChoices } from '../../core/plan/asked.ts';
import type { PlanNote } from '../../core/schemas/plan-answer.ts';
import type { Refused } from '../../core/schemas/plan-refused.ts';
import { CopyButton } from '../../report/browser/shared/copy-button.tsx';
import { TableGround } from '../../report/browser/shared/table-ground.tsx';
import { Text } from '../../report/browser/shared/text.tsx';
import {
  type StepForm,
  stepForms,
  stepsInForm,
  withChoiceSteps,
  withWrittenSteps,
} from '../../report/steps/written-steps.ts';
import {
  currentText,
  needText,
  planNoteText,
  refusedNearestText,
  refusedReasonText,
  refusedWhatText,
} from '../../report/wording/plan.ts';
import { burstText, choicesCurrentText, ruledOutText } from '../../report/wording/plan-choices.ts';
import { capitalized, lowered } from '../../report/wording/words.ts';
import { ChoiceField } from '../form.tsx';
import { pageNaming } from './page-naming.ts';
import type { PlanRow } from './plan-rows.ts';
import type { PlanState } from './plan-state.ts';

const sentence = (text: string): string => `${capitalized(text)}.`;

function Sentences({ lines }: { lines: readonly string[] }) {
  return (
    <ul class="plan-lines">
      {lines.map((line) => (
        <li key={line}>
          <Text value={sentence(line)} />
        </li>
      ))}
    </ul>
  );
}

// First what matters.

/** What stands in the way of any answer, and how near one comes. */
const isInTheWay = ({ code }: PlanNote): boolean => code === 'no-instance-carries' || code === 'wider-limit';
/** The head of the page says whose prices these are, and of when. */
const isInTheHead = ({ code }: PlanNote): boolean => code === 'price-source' || code === 'built-in-tables';

interface HeadlineProps {
  rows: readonly PlanRow[];
  answer: PlanOrChoices;
}

/** What to do and what it costs, in one look. */
export function Headline({ rows, answer }: HeadlineProps) {
  const [first] = rows;
  if (first?.isEnough !== true)
    return (
      <div class="plan-headline none" role="status">
        <p class="plan-total">Nothing is good enough within what was asked.</p>
        <p>What is in the way, and what is nearest, stands below.</p>
      </div>
    );
  const on = first.instance === null ? '' : ` on ${first.instance}`;
  const why = answer.kind === 'choices' ? 'What to take first' : 'The cheapest that is enough';
  return (
    <div class="plan-headline" role="status">
      <p class="plan-why">{why}</p>
      <p class="plan-total">
        <strong>{first.total}</strong> a month
      </p>
      <p class="plan-what">
        <Text value={`${first.name}${on}`} />
      </p>
      <p class="plan-detail">
        <Text
          value={`${capitalized(first.volumes)}. It delivers ${first.delivered.join(' and ')}; ${first.failure} a year to lose the data.`}
        />
      </p>
    </div>
  );
}

// The options side by side.

const markTones = { cheapest: 'good', simplest: 'info', safest: 'info' } as const;

const Stacked = ({ lines }: { lines: readonly string[] }) => (
  <>
    {lines.map((line) => (
      <span key={line} class="plan-line">
        <Text value={line} />
      </span>
    ))}
  </>
);

interface OptionRowProps {
  row: PlanRow;
  number: number;
  isSelected: boolean;
  onSelect: (number: number) => void;
}

function OptionRow({ row, number, isSelected, onSelect }: OptionRowProps) {
  const { name, volumes, instance, marks, delivered, total, parts, limits, failure, againstToday } = row;
  return (
    <tr class={isSelected ? 'is-selected' : ''} onClick={() => onSelect(number)}>
      <th scope="row">
        <label class="plan-option">
          <input type="radio" name="plan-option" checked={isSelected} onChange={() => onSelect(number)} />
          <span>
            <b>
              <Text value={name} />
            </b>
            {marks.map((mark) => (
              <span key={mark} class={`badge ${markTones[mark]}`}>
                {mark}
              </span>
            ))}
            <small>
              <Text value={volumes} />
            </small>
            {instance === null ? null : (
              <small>
                on <Text value={instance} />
              </small>
            )}
          </span>
        </label>
      </th>
      <td data-head="Delivers">
        <div>
          <Stacked lines={delivered} />
        </div>
      </td>
      <td data-head="USD a month">
        <div>
          <b class="plan-line">{total}</b>
          <small class="plan-parts">
            <Stacked lines={parts} />
          </small>
        </div>
      </td>
      <td data-head="First limit">
        <div>
          <Stacked lines={limits} />
        </div>
      </td>
      <td data-head="Data loss a year">
        <div>{failure}</div>
      </td>
      {againstToday === null ? null : (
        <td data-head="Against today" class="plan-against">
          <div>
            <Stacked lines={againstToday} />
          </div>
        </td>
      )}
    </tr>
  );
}

interface OptionsProps {
  rows: readonly PlanRow[];
  selected: number;
  onSelect: (number: number) => void;
}

function Options({ rows, selected, onSelect }: OptionsProps) {
  const hasToday = rows.some(({ againstToday }) => againstToday !== null);
  return (
    <TableGround label="Table of options">
      <table class="plan-options">
        <caption class="unseen">Options, what they deliver and cost; one is selected to be explained</caption>
        <thead>
          <tr>
            <th scope="col">Layout</th>
            <th scope="col">Delivers</th>
            <th scope="col">USD a month</th>
            <th scope="col">First limit</th>
            <th scope="col">Data loss a year</th>
            {hasToday ? <th scope="col">Against today</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <OptionRow key={i} row={row} number={i + 1} isSelected={selected === i + 1} onSelect={onSelect} />
          ))}
        </tbody>
      </table>
    </TableGround>
  );
}

// One of them, explained.

const formTexts: Record<StepForm, string> = { cli: 'AWS CLI', cdk: 'AWS CDK', terraform: 'Terraform' };

/** Lines to copy of one option; of the others none are written. */
function linesOf(answer: PlanOrChoices, number: number, form: StepForm): string[] {
  if (answer.kind === 'choices') {
    const choices = answer.chosen.choices.slice(number - 1, number);
    const [choice] = withChoiceSteps({ ...answer.chosen, choices }, answer.request).choices;
    return choice === undefined ? [] : stepsInForm(choice, form);
  }
  const options = answer.planned.options.slice(number - 1, number);
  const [option] = withWrittenSteps({ ...answer.planned, options }, answer.request).options;
  return option === undefined ? [] : stepsInForm(option, form);
}

interface StepsProps {
  answer: PlanOrChoices;
  number: number;
  form: StepForm;
  onForm: (form: StepForm) => void;
}

function StepLines({ answer, number, form, onForm }: StepsProps) {
  const text = useRef<HTMLPreElement>(null);
  const lines = useMemo(() => linesOf(answer, number, form), [answer, number, form]);
  return (
    <>
      <div class="plan-step-bar no-print">
        <ChoiceField
          label="Written for"
          look="radios"
          value={form}
          choices={stepForms.map((value) => ({ value, text: formTexts[value] }))}
          onChange={onForm}
        />
        <CopyButton
          text={lines.join('\n')}
          what={`the steps of option ${number}`}
          target={() => text.current}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard */}
      <pre class="plan-steps" ref={text} tabIndex={0}>
        <code>
          {lines.map((line, i) => (
            <span key={i} class={/^\s*(#|\/\/)/.test(line) ? 'faint' : ''}>
              <Text value={line} />
              {'\n'}
            </span>
          ))}
        </code>
      </pre>
    </>
  );
}

function Steps(props: StepsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Steps to copy: AWS CLI, CDK, Terraform</summary>
      {isOpen ? <StepLines {...props} /> : null}
    </details>
  );
}

// What is not to be had, and what is to be known.

function RefusedTable({ refused }: { refused: readonly Refused[] }) {
  return (
    <TableGround label="Table of what was refused">
      <table class="plan-refused">
        <caption class="unseen">What was refused, why, and what is nearest</caption>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Why not</th>
            <th scope="col">Nearest</th>
          </tr>
        </thead>
        <tbody>
          {refused.map((one) => (
            <tr key={refusedWhatText(one) + one.reason.code}>
              <th scope="row">
                <Text value={capitalized(refusedWhatText(one))} />
              </th>
              <td data-head="Why not">
                <div>
                  <Text value={sentence(refusedReasonText(one))} />
                </div>
              </td>
              <td data-head="Nearest">
                <div>
                  <Text value={sentence(refusedNearestText(one, pageNaming))} />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableGround>
  );
}

function RefusedSection({ refused, isAll }: { refused: readonly Refused[]; isAll: boolean }) {
  const [isOpen, setOpen] = useState(false);
  if (refused.length === 0) return null;
  if (isAll)
    return (
      <section class="plan-part">
        <h3>What is in the way</h3>
        <RefusedTable refused={refused} />
      </section>
    );
  return (
    <details class="plan-part" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Refused, with why: {refused.flatMap(({ what }) => what).length}</summary>
      {isOpen ? <RefusedTable refused={refused} /> : null}
    </details>
  );
}

interface PlanResultProps {
  answer: PlanOrChoices;
  rows: readonly PlanRow[];
  state: PlanState;
  change: (part: Partial<PlanState>) => void;
  /** Between the options and what was refused. */
  children: ComponentChildren;
}

const todayOf = (answer: PlanOrChoices): string | null => {
  if (answer.kind === 'choices') return choicesCurrentText(answer.chosen.current);
  return answer.planned.current === null ? null : currentText(answer.planned.current);
};

/** @returns lines without their points */
function notesOf(answer: PlanOrChoices): { inTheWay: string[]; others: string[] } {
  const { notes } = answer.kind === 'choices' ? answer.chosen : answer.planned;
  const texts = (of: readonly PlanNote[]): string[] => of.map((note) => planNoteText(note, pageNaming));
  const burst = answer.kind === 'choices' ? burstText(answer.chosen.current) : null;
  return {
    inTheWay: [
      ...(answer.kind === 'choices' ? answer.chosen.ruledOut.map(ruledOutText) : []),
      ...texts(notes.filter(isInTheWay)),
      ...(burst === null ? [] : [burst.replace(/\.$/, '')]),
    ],
    others: texts(notes.filter((note) => !isInTheWay(note) && !isInTheHead(note))),
  };
}

export function PlanResult({ answer, rows, state, change, children }: PlanResultProps) {
  const selected = Math.min(state.option, Math.max(1, rows.length));
  const row = rows[selected - 1];
  const isAny = rows[0]?.isEnough === true;
  const today = todayOf(answer);
  const { inTheWay, others } = notesOf(answer);
  const toKnow = [...(isAny ? inTheWay : []), ...others];
  const refused = answer.kind === 'choices' ? [] : answer.planned.refused;
  return (
    <div class="plan-result">
      <p class="plan-need">{needText(answer.kind === 'choices' ? answer.chosen : answer.planned)}.</p>
      {today === null ? null : (
        <p class="plan-today">
          <Text value={today} />
        </p>
      )}
      {isAny || inTheWay.length === 0 ? null : <Sentences lines={inTheWay} />}
      {isAny ? null : <RefusedSection refused={refused} isAll />}
      {rows.length === 0 ? null : (
        <Options rows={rows} selected={selected} onSelect={(option) => change({ option })} />
      )}
      {row === undefined ? null : (
        <section class="plan-part" aria-label={`Option ${selected}`}>
          <h3>
            <Text value={`Why option ${selected}: ${lowered(row.name)}`} />
          </h3>
          <Sentences lines={row.reasons} />
          <Steps answer={answer} number={selected} form={state.steps} onForm={(steps) => change({ steps })} />
        </section>
      )}
      {children}
      {isAny ? <RefusedSection refused={refused} isAll={false} /> : null}
      {toKnow.length === 0 ? null : (
        <section class="plan-part">
          <h3>Notes</h3>
          <Sentences lines={toKnow} />
        </section>
      )}
    </div>
  );
}
