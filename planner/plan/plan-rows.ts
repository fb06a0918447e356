/** Rows of the answer: options of a plan, and choices between volumes and instance, as one table shows them. */
import { figure, signedUsdText, usdText } from '../../core/figures.ts';
import type { PlanOrChoices } from '../../core/plan/asked.ts';
import { rateText } from '../../core/plan/cheapest-member.ts';
import { type Layout, provisioned } from '../../core/plan/layout.ts';
import { memberText } from '../../core/plan/step-commands.ts';
import type { Planned, PlanOption } from '../../core/schemas/plan-answer.ts';
import type { Chosen, PlanChoice } from '../../core/schemas/plan-choices.ts';
import { layoutName, paidPartTexts, planReasonText, routeText } from '../../report/wording/plan.ts';
import {
  choiceCautionText,
  choiceWhyText,
  disruptionTexts,
  limitTexts,
} from '../../report/wording/plan-choices.ts';
import { capitalized } from '../../report/wording/words.ts';
import { pageNaming } from './page-naming.ts';

type Mark = PlanChoice['marks'][number];

export interface PlanRow {
  /** "Stripe of 5 gp3". */
  name: string;
  /** "gp3, 200 GiB, 3,000 IOPS, 125 MiB/s each". */
  volumes: string;
  /** Null: no instance is part of the plan, or its name says it. */
  instance: string | null;
  delivered: readonly string[];
  isEnough: boolean;
  /** "80.00 USD". */
  total: string;
  /** "storage 80.00 USD". */
  parts: readonly string[];
  limits: readonly string[];
  /** "1 %": chance to lose the data in a year. */
  failure: string;
  /** Against what stands today, how it is reached and what it costs more; null where nothing stands. */
  againstToday: readonly string[] | null;
  marks: readonly Mark[];
  /** Sentences without their points. */
  reasons: readonly string[];
}

const money = (usd: number | null): string => (usd === null ? 'price unknown' : usdText(usd));

function partsOf(monthlyUsd: PlanOption['monthlyUsd']): string[] {
  const paid = paidPartTexts(monthlyUsd);
  // Of one part the total says it.
  return paid.length > 1 ? paid : paid.map((text) => text.replace(/ .*/, ' only'));
}

function volumesText(layout: Layout): string {
  const each = memberText(provisioned(layout, 'region'));
  return layout.members === 1 ? each : `each ${each}`;
}

const limitsOf = (limits: PlanChoice['bindingLimits']): string[] =>
  limits.length === 0 ? ['capacity'] : limits.map((limit) => limitTexts[limit]);

const rates = (iops: number, mibps: number): string[] => [`${figure(iops)} IOPS`, `${figure(mibps)} MiB/s`];

/** Of the options that are shown: fewest volumes, and least likely to lose the data; of several the cheapest. */
export function marksOf(options: readonly Pick<PlanOption, 'layout' | 'annualFailureRate'>[]): Mark[][] {
  const least = (of: (option: (typeof options)[number]) => number): number => {
    const values = options.map(of);
    return values.indexOf(Math.min(...values));
  };
  const simplest = least(({ layout }) => layout.members);
  const safest = least(({ annualFailureRate }) => annualFailureRate);
  return options.map((_, i) => [
    ...(i === 0 ? (['cheapest'] as const) : []),
    ...(i === simplest ? (['simplest'] as const) : []),
    ...(i === safest ? (['safest'] as const) : []),
  ]);
}

function wayOf({ steps: { inPlace, route } }: PlanOption): string {
  if (route === 'nothing') return 'nothing to do';
  return inPlace ? 'in place, online' : 'migration, downtime';
}

function rowsOfOptions({ options, current }: Planned): PlanRow[] {
  const marked = marksOf(options);
  return options.map((option, i): PlanRow => {
    const { layout, instanceType, change, monthlyUsd, reasons, steps } = option;
    const delta = change?.monthlyUsdDelta ?? null;
    const more = delta === null ? [] : [`volumes ${signedUsdText(delta)}`];
    const route = current === null ? [] : [routeText(steps.reason)];
    return {
      name: capitalized(layoutName(layout)),
      volumes: volumesText(layout),
      instance: instanceType,
      delivered: rates(option.deliveredIops, option.deliveredMiBps),
      isEnough: true,
      total: money(monthlyUsd.total),
      parts: partsOf(monthlyUsd),
      limits: limitsOf(option.bindingLimits),
      failure: rateText(option.annualFailureRate, 2),
      againstToday: current === null ? null : [wayOf(option), ...more],
      marks: marked[i] ?? [],
      reasons: [...reasons.map((one) => planReasonText(one, pageNaming)), ...route],
    };
  });
}

function changeName({ volumeChange, instanceChange, layout, instanceType }: PlanChoice): string {
  const volume = {
    unchanged: [],
    'in-place': [`${layout.members === 1 ? 'volume' : 'volumes'} changed in place`],
    stripe: [layoutName(layout)],
  }[volumeChange];
  const instance = {
    unchanged: [],
    'bandwidth-weighting': ['bandwidth weighting ebs-1'],
    type: [`instance ${instanceType}`],
  }[instanceChange];
  const all = [...volume, ...instance];
  return all.length === 0 ? 'No change' : capitalized(all.join(' and '));
}

const rowsOfChoices = ({ choices }: Chosen): PlanRow[] =>
  choices.map((choice): PlanRow => {
    const { layout, monthlyUsd, monthlyUsdDelta, isEnough, disruption } = choice;
    const more = monthlyUsdDelta === null ? [] : [signedUsdText(monthlyUsdDelta)];
    return {
      name: changeName(choice),
      volumes: volumesText(layout),
      instance: choice.instanceChange === 'type' ? null : choice.instanceType,
      delivered: [...rates(choice.deliveredIops, choice.deliveredMiBps), ...(isEnough ? [] : ['not enough'])],
      isEnough,
      total: money(monthlyUsd.total),
      parts: partsOf(monthlyUsd),
      limits: limitsOf(choice.bindingLimits),
      failure: rateText(choice.annualFailureRate, 2),
      againstToday: [disruptionTexts[disruption], ...more],
      marks: choice.marks,
      reasons: [
        choiceWhyText(choice.why),
        ...choice.cautions.map(choiceCautionText),
        ...(choice.volumeChange === 'unchanged' ? [] : [routeText(choice.route)]),
      ],
    };
  });

export const rowsOf = (answer: PlanOrChoices): PlanRow[] =>
  answer.kind === 'choices' ? rowsOfChoices(answer.chosen) : rowsOfOptions(answer.planned);
