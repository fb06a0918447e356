/** All volumes and instances, instance by instance: what was seen of one is forgotten before the next. */
import type { NeedOf, VolumeNeed } from '../advice/savings/observed-need.ts';
import type { AuditWindow } from '../diagnosis/audit-window.ts';
import type { Volume } from '../inventory.ts';
import { type Known, known } from '../known.ts';
import type { Finding } from '../schemas/finding.ts';
import type { InstanceReason } from '../schemas/unknown-reasons.ts';
import type { Stripe } from '../stripes/stripe.ts';
import type { InstanceToJudge } from './instances-to-judge.ts';
import { judgeInstanceOf } from './judge-instances.ts';
import { judgeStripes } from './judge-stripes.ts';
import { type JudgedVolume, judgeVolume } from './judge-volume.ts';
import type { JudgeContext } from './judging.ts';

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

export interface JudgedFleet {
  /** In the order of the inventory; their findings stand apart. */
  volumes: JudgedVolume[];
  /** Of volumes and of stripes. */
  findings: Finding[];
  stripes: Stripe[];
  /** By instance id. */
  instances: Map<string, Known<Finding[], InstanceReason>>;
  needOf: NeedOf;
}

class FleetJudge {
  readonly judged: JudgedFleet;
  private readonly needs = new Map<string, VolumeNeed | null>();
  private readonly context: JudgeContext;
  private readonly window: AuditWindow;
  private count = 0;

  constructor(context: JudgeContext, window: AuditWindow) {
    this.context = context;
    this.window = window;
    const needOf: NeedOf = (id) => this.needs.get(id) ?? null;
    this.judged = { volumes: [], findings: [], stripes: [], instances: new Map(), needOf };
  }

  /** @param entry its instance, where it is known: judged after its volumes, which show whether they waited for it. */
  group(
    { instanceId, places }: Group,
    entry: InstanceToJudge | undefined,
    volumes: readonly Volume[],
    onVolume: (judged: number) => void,
  ): void {
    const { context, judged } = this;
    const { observed, markets, onJudged } = context;
    const stripes = instanceId === null ? [] : observed.stripesOn(instanceId);
    const each = places.map((place) => {
      const one = judgeVolume(volumes[place] as Volume, context);
      this.needs.set(one.evaluation.volumeId, one.need);
      onVolume(++this.count);
      return one;
    });
    const together = judgeStripes(each, stripes, observed, context.thresholds);
    together.volumes.forEach((one, i) => {
      judged.volumes[places[i] as number] = one;
    });
    judged.findings.push(...together.findings);
    judged.stripes.push(...stripes);
    const ofInstance = entry === undefined ? known([]) : this.instance(entry);
    const findings = [...together.findings, ...(ofInstance.known ? ofInstance.value : [])];
    onJudged({ findings, stripes, observed, markets });
    observed.forget();
  }

  instance(entry: InstanceToJudge): Known<Finding[], InstanceReason> {
    const { cleared, metrics, observed, markets, thresholds } = this.context;
    const { instanceId } = entry.instance;
    const { window, judged } = this;
    const isCleared = cleared?.instanceIds.has(instanceId);
    const found = isCleared
      ? known([])
      : judgeInstanceOf(entry, { metrics, observed, markets, needOf: judged.needOf, window, thresholds });
    judged.instances.set(instanceId, found);
    return found;
  }
}

export function judgeFleet(
  volumes: readonly Volume[],
  toJudge: readonly InstanceToJudge[],
  context: JudgeContext,
  window: AuditWindow,
  onVolume: (judged: number) => void,
): JudgedFleet {
  const judge = new FleetJudge(context, window);
  const entries = new Map(toJudge.map((one) => [one.instance.instanceId, one]));
  for (const group of byInstance(volumes)) {
    judge.group(group, entries.get(group.instanceId ?? ''), volumes, onVolume);
  }
  const { judged } = judge;
  for (const entry of toJudge) if (!judged.instances.has(entry.instance.instanceId)) judge.instance(entry);
  return judged;
}
