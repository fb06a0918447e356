/** All volumes and instances, instance by instance: what was seen of one is forgotten before the next. */

import type { AuditWindow } from '../diagnosis/audit-window.ts';
import type { Volume } from '../inventory.ts';
import { type Known, known } from '../known.ts';
import type { NeedOf, VolumeNeed } from '../recommendations/savings/observed-need.ts';
import type { Finding } from '../schemas/finding.ts';
import type { InstanceReason } from '../schemas/unknown-reasons.ts';
import type { Stripe } from '../stripes/stripe.ts';
import { evaluateInstanceOf } from './evaluate-instances.ts';
import { evaluateStripes } from './evaluate-stripes.ts';
import { type EvaluatedVolume, evaluateVolume } from './evaluate-volume.ts';
import type { EvaluationContext } from './evaluating.ts';
import type { InstanceToEvaluate } from './instances-to-evaluate.ts';

interface Group {
  instanceId: string | null;
  /** In the inventory. */
  places: number[];
}

/** By the instance that a volume is on first; a volume on none stands alone. */
function byInstance(volumes: readonly Volume[]): Group[] {
  const groups = new Map<string, Group>();
  const alone: Group[] = [];
  volumes.forEach(({ attachments: [first] }, place) => {
    if (first === undefined) {
      alone.push({ instanceId: null, places: [place] });
      return;
    }
    const { instanceId } = first;
    const group = groups.get(instanceId) ?? { instanceId, places: [] };
    groups.set(instanceId, group);
    group.places.push(place);
  });
  return [...groups.values(), ...alone];
}

export interface EvaluatedFleet {
  /** In the order of the inventory; their findings stand apart. */
  volumes: EvaluatedVolume[];
  /** Of volumes and of stripes. */
  findings: Finding[];
  stripes: Stripe[];
  /** By instance id. */
  instances: Map<string, Known<Finding[], InstanceReason>>;
  needOf: NeedOf;
}

class FleetEvaluator {
  readonly evaluated: EvaluatedFleet;
  private readonly needs = new Map<string, VolumeNeed | null>();
  private readonly context: EvaluationContext;
  private readonly window: AuditWindow;
  private count = 0;

  constructor(context: EvaluationContext, window: AuditWindow) {
    this.context = context;
    this.window = window;
    const needOf: NeedOf = (id) => this.needs.get(id) ?? null;
    this.evaluated = { volumes: [], findings: [], stripes: [], instances: new Map(), needOf };
  }

  /** @param entry its instance, where it is known: evaluated after its volumes, which show whether they waited for it. */
  group(
    { instanceId, places }: Group,
    entry: InstanceToEvaluate | undefined,
    volumes: readonly Volume[],
    onVolume: (evaluated: number) => void,
  ): void {
    const { context, evaluated } = this;
    const { observed, regionCatalogs, onEvaluated } = context;
    const stripes = instanceId === null ? [] : observed.stripesOn(instanceId);
    const each = places.map((place) => {
      const one = evaluateVolume(volumes[place] as Volume, context);
      this.needs.set(one.evaluation.volumeId, one.need);
      onVolume(++this.count);
      return one;
    });
    const together = evaluateStripes(each, stripes, observed, context.thresholds);
    together.volumes.forEach((one, i) => {
      evaluated.volumes[places[i] as number] = one;
    });
    evaluated.findings.push(...together.findings);
    evaluated.stripes.push(...stripes);
    const ofInstance = entry === undefined ? known([]) : this.instance(entry);
    const findings = [...together.findings, ...(ofInstance.known ? ofInstance.value : [])];
    onEvaluated({ findings, stripes, observed, regionCatalogs });
    observed.forget();
  }

  instance(entry: InstanceToEvaluate): Known<Finding[], InstanceReason> {
    const { cleared, metrics, observed, regionCatalogs, thresholds } = this.context;
    const { instanceId } = entry.instance;
    const { window, evaluated } = this;
    const isCleared = cleared?.instanceIds.has(instanceId);
    const found = isCleared
      ? known([])
      : evaluateInstanceOf(entry, {
          metrics,
          observed,
          regionCatalogs,
          needOf: evaluated.needOf,
          window,
          thresholds,
        });
    evaluated.instances.set(instanceId, found);
    return found;
  }
}

export function evaluateFleet(
  volumes: readonly Volume[],
  toEvaluate: readonly InstanceToEvaluate[],
  context: EvaluationContext,
  window: AuditWindow,
  onVolume: (evaluated: number) => void,
): EvaluatedFleet {
  const evaluate = new FleetEvaluator(context, window);
  const entries = new Map(toEvaluate.map((one) => [one.instance.instanceId, one]));
  for (const group of byInstance(volumes)) {
    evaluate.group(group, entries.get(group.instanceId ?? ''), volumes, onVolume);
  }
  const { evaluated } = evaluate;
  for (const entry of toEvaluate)
    if (!evaluated.instances.has(entry.instance.instanceId)) evaluate.instance(entry);
  return evaluated;
}
