/** The plan for people: a table of options, why the first is first, what was refused, the next step. */
import Table from 'cli-table3';
import { rateText } from '../../core/plan/cheapest-member.ts';
import type { PlanAnswer, PlanOption } from '../../core/schemas/plan-answer.ts';
import { type StepForm, stepsInForm } from '../steps/written-steps.ts';
import {
  currentText,
  layoutName,
  needText,
  paidPartTexts,
  planNoteText,
  planReasonText,
  refusedNearestText,
  refusedReasonText,
  refusedWhatText,
  routeText,
} from '../wording/plan.ts';
import { number, sanitize, usd, whole } from './text.ts';

const memberText = ({ sizeGiB, iops, throughputMiBps }: PlanOption['layout']): string =>
  `${whole(sizeGiB)} GiB\n${number(iops)} IOPS\n${number(throughputMiBps)} MiB/s`;

export const money = (amount: number | null): string => (amount === null ? 'unknown' : usd(amount));

const priceText = (monthlyUsd: PlanOption['monthlyUsd']): string =>
  [money(monthlyUsd.total), ...paidPartTexts(monthlyUsd)].join('\n');

export const signed = (amount: number, text: string): string => `${amount > 0 ? '+' : ''}${text}`;

function changeText({ change, steps }: PlanOption): string {
  if (change === null) return '';
  const { monthlyUsdDelta, iopsDelta, throughputMiBpsDelta } = change;
  return [
    monthlyUsdDelta === null ? 'price unknown' : signed(monthlyUsdDelta, usd(monthlyUsdDelta)),
    signed(iopsDelta, `${number(iopsDelta)} IOPS`),
    signed(throughputMiBpsDelta, `${number(throughputMiBpsDelta)} MiB/s`),
    steps.inPlace ? 'in place' : 'by migration',
  ].join('\n');
}

function optionsTable({ options, current }: PlanAnswer): string {
  const withInstance = options.some(({ instanceType }) => instanceType !== null);
  const head = [
    '#',
    'layout',
    'each volume',
    'delivers',
    'first limit',
    'failure\na year',
    'USD a month',
    ...(current === null ? [] : ['against today']),
  ];
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const [i, option] of options.entries()) {
    const { layout, deliveredIops, deliveredMiBps, bindingLimits, instanceType } = option;
    table.push([
      i + 1,
      withInstance ? `${layoutName(layout)}\non ${sanitize(instanceType ?? '')}` : layoutName(layout),
      memberText(layout),
      `${number(deliveredIops)} IOPS\n${number(deliveredMiBps)} MiB/s`,
      bindingLimits.length === 0 ? 'capacity' : bindingLimits.join(' +\n'),
      rateText(option.annualFailureRate, 2),
      priceText(option.monthlyUsd),
      ...(current === null ? [] : [changeText(option)]),
    ]);
  }
  return table.toString();
}

function whyLines(option: PlanOption, number: number): string[] {
  const { layout, instanceType, reasons, steps } = option;
  const on = instanceType === null ? '' : ` on ${sanitize(instanceType)}`;
  return [
    `Why ${number}, ${layoutName(layout)}${on}:`,
    ...reasons.map((reason) => `  - ${sanitize(planReasonText(reason), 500)}`),
    `  ${steps.inPlace ? 'In place' : 'Way there'}: ${routeText(steps.reason)}`,
  ];
}

export interface PlanTextOptions {
  /** Which option is explained, and its steps printed: its number in the table. */
  option: number;
  /** How its steps are written; null: not at all. */
  steps: StepForm | null;
  /** What to write before a command that a person can copy. */
  invokedAs: string;
}

function optionLines(answer: PlanAnswer, { option: number }: PlanTextOptions): string[] {
  const { options } = answer;
  const chosen = options[number - 1];
  if (chosen === undefined) return ['Nothing is good enough within what was asked:'];
  const others = options.flatMap((option, i) =>
    option === chosen
      ? []
      : option.reasons
          .slice(0, 1)
          .map(
            (reason) =>
              `  - ${i + 1}, ${layoutName(option.layout)}: ${sanitize(planReasonText(reason), 500)}`,
          ),
  );
  return [
    optionsTable(answer),
    ...whyLines(chosen, number),
    ...(others.length === 0 ? [] : ['', 'The others:', ...others]),
    ...(answer.refused.length === 0 ? [] : ['', 'Refused:']),
  ];
}

/** What comes last: the steps where they are demanded, so that they can be copied; else how to get them. */
function lastLines({ options }: PlanAnswer, { option, steps, invokedAs }: PlanTextOptions): string[] {
  const chosen = options[option - 1];
  if (chosen === undefined) return [];
  return steps === null
    ? [
        `Next: --steps cli (or cdk, terraform) prints how to get there, --option N takes another option; ${invokedAs} plan --help shows what else can be asked.`,
      ]
    : ['', `Steps to ${option}, ${layoutName(chosen.layout)}:`, '', ...stepsInForm(chosen, steps)];
}

/** Lines for a terminal. */
export function planText(answer: PlanAnswer, options: PlanTextOptions): string[] {
  const { refused, notes, current } = answer;
  return [
    needText(answer),
    ...(current === null ? [] : [currentText(current)]),
    '',
    ...optionLines(answer, options),
    ...refused.map(
      (one) =>
        `  - ${sanitize(refusedWhatText(one), 200)}: ${sanitize(refusedReasonText(one), 500)}. Nearest: ${sanitize(refusedNearestText(one), 300)}`,
    ),
    ...notes.map((note) => `note: ${sanitize(planNoteText(note), 500)}`),
    ...lastLines(answer, options),
  ];
}
