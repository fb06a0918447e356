/** What a configuration asks of CloudWatch in a month, and what its budget means. */
import { figure, usdText } from '../figures.ts';
import { usdOfMetrics } from '../load/metric-queries.ts';
import type { ConfigAnswer } from '../schemas/config-answer.ts';
import { hoursPerMonth } from '../units.ts';
import type { Config } from './config.ts';

/**
 * Measured on simulated fleets (docs/performance.md, two-pass-metrics-share): a volume with its part of its instance. In two
 * passes where one volume in twenty is in trouble; where all are, it is a little more than in one.
 */
const metricsPerVolume = { two: 4.7, one: 15.2 } as const;

export interface PulseAsked {
  volumes: number;
  everyMinutes: number;
  /** USD a month that audits leave of the budget; null: no bound. */
  leftUsd: number | null;
}
/** What the pulse is expected to take of it. */
export type PulseCost = (asked: PulseAsked) => { usd: number; text: string };

type Cost = ConfigAnswer['cost'];

function auditsOf({ audit }: Config, volumes: number): Cost['audits'] {
  const aMonth = hoursPerMonth / audit.everyHours;
  const each = metricsPerVolume[audit.passes];
  const metrics = Math.round(volumes * each * aMonth);
  const usd = usdOfMetrics(metrics);
  const rests =
    audit.passes === 'two'
      ? ' where one volume in twenty is in trouble (three times as many where all are)'
      : '';
  const text = `${figure(aMonth, 1)} audits a month ask for ${figure(each)} metrics a volume each${rests}: ${figure(metrics)} metrics, ${usdText(usd)}`;
  return { aMonth, metricsPerVolume: each, metrics, usd, text };
}

/** Between the two nothing is bounded but the pulse: an audit that is left out would be missed. */
function budgetTexts({ pulse }: Config, audits: Cost['audits'], budgetUsd: number | null): string[] {
  if (budgetUsd === null)
    return ['no budget (budget.apiUsdPerMonth): nothing bounds what is asked of CloudWatch'];
  const [budget, taken] = [usdText(budgetUsd), usdText(audits.usd)];
  const oneUsd = audits.usd / audits.aMonth;
  const alone = 'audits are made all the same';
  if (budgetUsd < oneUsd)
    return [
      `the budget of ${budget} a month is less than one audit (${usdText(oneUsd)}): ${alone}, and nothing is left for the pulse`,
    ];
  if (budgetUsd <= audits.usd)
    return [
      `audits alone take ${taken} of the budget of ${budget} a month: ${alone}, and nothing is left for the pulse`,
    ];
  const left = usdText(budgetUsd - audits.usd);
  return [
    pulse.enabled
      ? `of the budget of ${budget} a month audits take ${taken}; the pulse keeps to the other ${left}: where that is not enough it looks less often`
      : `of the budget of ${budget} a month audits take ${taken}; the pulse is off`,
  ];
}

/** @param pulseCost null where what the pulse takes is not known. */
export function monthCost(config: Config, volumes: number, pulseCost: PulseCost | null): Cost {
  const audits = auditsOf(config, volumes);
  const { enabled, everyMinutes } = config.pulse;
  const budgetUsd = config.budget.apiUsdPerMonth;
  const leftUsd = budgetUsd === null ? null : Math.max(0, budgetUsd - audits.usd);
  const pulse = enabled ? (pulseCost?.({ volumes, everyMinutes, leftUsd }) ?? null) : null;
  const isUnknown = enabled && pulse === null;
  return {
    volumes,
    audits,
    pulse,
    pulseUnknownBecause: isUnknown
      ? 'what the pulse takes depends on how near volumes come to their limits'
      : null,
    usd: isUnknown ? null : audits.usd + (pulse?.usd ?? 0),
    budgetUsd,
    budget: budgetTexts(config, audits, budgetUsd),
  };
}
