/** More IOPS, or a bigger instance? One table for people, the first row what a careful engineer would take. */
import Table from 'cli-table3';
import type { PlanChoice, PlanChoices } from '../../core/schemas/plan-choices.ts';
import { stepsInForm } from '../steps/written-steps.ts';
import { layoutName, needText, planNoteText } from '../wording/plan.ts';
import {
  burstText,
  choiceCautionText,
  choicesCurrentText,
  choiceWhyText,
  disruptionTexts,
  limitTexts,
  ruledOutText,
} from '../wording/plan-choices.ts';
import { capitalized } from '../wording/words.ts';
import { money, type PlanTextOptions, signed } from './plan.ts';
import { number, sanitize, usd, whole } from './text.ts';

const memberText = ({ volumeType, members, sizeGiB, iops, throughputMiBps }: PlanChoice['layout']): string =>
  [
    members === 1 ? `${volumeType} ${whole(sizeGiB)} GiB` : `${whole(sizeGiB)} GiB each`,
    `${number(iops)} IOPS, ${number(throughputMiBps)} MiB/s${members === 1 ? '' : ' each'}`,
  ].join('\n');

/** What changes, the volumes first: "volume in place: gp3 ...", "instance: r6i.4xlarge". */
function changeText(choice: PlanChoice): string {
  const { volumeChange, instanceChange, layout, instanceType } = choice;
  const volume = {
    unchanged: [],
    'in-place': [`${layout.members === 1 ? 'volume' : 'volumes'} in place: ${memberText(layout)}`],
    stripe: [`${layoutName(layout)}: ${memberText(layout)}`],
  }[volumeChange];
  const instance = {
    unchanged: [],
    'bandwidth-weighting': ['bandwidth weighting: ebs-1'],
    type: [`instance: ${sanitize(instanceType)}`],
  }[instanceChange];
  const all = [...volume, ...instance];
  return all.length === 0 ? 'none' : all.join('\n');
}

function priceText({ monthlyUsd: { total }, monthlyUsdDelta }: PlanChoice): string {
  const delta = monthlyUsdDelta === null ? [] : [signed(monthlyUsdDelta, usd(monthlyUsdDelta))];
  return [money(total), ...delta].join('\n');
}

const deliveredText = ({ deliveredIops, deliveredMiBps, isEnough }: PlanChoice): string =>
  [
    `${number(deliveredIops)} IOPS`,
    `${number(deliveredMiBps)} MiB/s`,
    ...(isEnough ? [] : ['not enough']),
  ].join('\n');

function choicesTable({ choices }: PlanChoices): string {
  const head = ['#', 'change', 'delivers', 'USD a month\nagainst today', 'how', 'first limit', ''];
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const [i, choice] of choices.entries())
    table.push([
      i + 1,
      changeText(choice),
      deliveredText(choice),
      priceText(choice),
      disruptionTexts[choice.disruption],
      choice.bindingLimits.map((limit) => limitTexts[limit]).join('\n'),
      choice.marks.join('\n'),
    ]);
  return table.toString();
}

const choiceLines = (choice: PlanChoice, i: number): string[] => [
  `  ${i + 1}. ${capitalized(sanitize(choiceWhyText(choice.why), 300))}.`,
  ...choice.cautions.map((caution) => `     ${capitalized(sanitize(choiceCautionText(caution), 300))}.`),
];

function lastLines({ choices }: PlanChoices, { option, steps, invokedAs }: PlanTextOptions): string[] {
  const chosen = choices[option - 1];
  if (chosen === undefined) return [];
  return steps === null
    ? [
        `Next: --steps cli (or cdk, terraform) prints how to get to 1, --option N to another; without --current-instance, ${invokedAs} plan compares more layouts.`,
      ]
    : ['', `Steps to ${option}:`, '', ...stepsInForm(chosen, steps)];
}

/** Lines for a terminal. */
export function choicesText(answer: PlanChoices, options: PlanTextOptions): string[] {
  const { choices, ruledOut, notes } = answer;
  const burst = burstText(answer.current);
  const isAny = choices.some(({ isEnough }) => isEnough);
  return [
    needText(answer),
    choicesCurrentText(answer.current),
    '',
    ...(isAny ? [] : ['Nothing is enough within what was asked.']),
    ...(choices.length === 0 ? [] : [choicesTable(answer)]),
    ...choices.flatMap(choiceLines),
    ...ruledOut.map((one) => `note: ${sanitize(ruledOutText(one), 300)}`),
    ...(burst === null ? [] : [`note: ${sanitize(burst, 300)}`]),
    ...notes.map((note) => `note: ${sanitize(planNoteText(note), 500)}`),
    ...lastLines(answer, options),
  ];
}
