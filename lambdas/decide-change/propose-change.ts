/** A change is asked for: what of a finding's recommendation EBS does online, to a volume that nobody else describes and no other change has. */
import { approvingRule, propose } from '../../core/changes/decisions.ts';
import { type OwnedVolume, ownerOf } from '../../core/changes/ownership.ts';
import { isSame, plannedChangeOf } from '../../core/changes/plan.ts';
import { type ChangeRules, neverBegins } from '../../core/changes/rules.ts';
import type { AutomaticRule } from '../../core/config/changes.ts';
import type { proposalRefusals } from '../../core/schemas/changes-answers.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { PlannedChange, VolumeChange, VolumeSettings } from '../../core/schemas/volume-change.ts';
import type { Owner } from '../../core/schemas/volume-owner.ts';
import { isoFromEpochSeconds, secondsPerMinute } from '../../core/units.ts';

interface VolumeItem {
  holder: string | null;
  takenSeconds: number;
  revision: number;
}

type Place = Pick<PlannedChange, 'account' | 'region' | 'volumeId'>;

export interface ProposeWith {
  /** Null: nobody remembers it. */
  finding(id: string): Promise<Pick<Finding, 'id' | 'kind' | 'resource' | 'recommendations'> | null>;
  /** Null: it is not there any more. */
  volume(place: Place): Promise<(OwnedVolume & { settings: VolumeSettings }) | null>;
  ledger: {
    read(id: string): Promise<VolumeChange | null>;
    volume(account: string, region: string, volumeId: string): Promise<VolumeItem>;
    /** False where somebody else wrote since it was read. */
    writeVolume(account: string, region: string, volumeId: string, item: VolumeItem): Promise<boolean>;
  };
  /** The state machine, whose first step writes the change. One of the same id is started once. */
  start(change: VolumeChange): Promise<void>;
  newId(): string;
  nowSeconds(): number;
  automatic: readonly AutomaticRule[];
  rules: ChangeRules;
  approvalsNeeded: number;
}

export type Proposed =
  | { change: VolumeChange }
  | { refused: (typeof proposalRefusals)[number] }
  | { refused: 'owned'; owner: Owner; plan: PlannedChange }
  | { refused: 'has-a-change'; changeId: string };

/** Of 2026-11-20. */
const dayLength = 10;
/** Who took a volume and did not start in so long was killed. */
const takenForSeconds = 60 * secondsPerMinute;

/** Whether the change that took the volume last has it still. @param last as it is written; null: it is not, by now or at all. */
function isHeld(
  { holder, takenSeconds }: VolumeItem,
  last: VolumeChange | null,
  nowSeconds: number,
): boolean {
  if (holder === null) return false;
  return last === null ? nowSeconds - takenSeconds < takenForSeconds : last.end === null;
}

/** What was undone is made again by a person alone. */
const wasUndone = (last: VolumeChange | null, { to }: PlannedChange): boolean =>
  last !== null &&
  (last.end?.code === 'undone' || last.end?.code === 'undo-not-made') &&
  isSame(last.plan.to, to);

/** @param by who asks, such as `slack:U0123456789`; with `automatic` rules alone nobody need be asked. */
export async function proposeChange(findingId: string, by: string, use: ProposeWith): Promise<Proposed> {
  const finding = await use.finding(findingId);
  if (finding === null) return { refused: 'no-finding' };
  const now = use.nowSeconds();
  const plan = plannedChangeOf(finding, isoFromEpochSeconds(now).slice(0, dayLength));
  if (plan === null) return { refused: 'no-online-change' };
  const volume = await use.volume(plan);
  if (volume === null) return { refused: 'volume-gone' };
  const owner = ownerOf(volume);
  if (owner.kind !== 'nobody') return { refused: 'owned', owner, plan };
  if (!isSame(volume.settings, plan.from)) return { refused: 'volume-changed' };
  if (neverBegins(plan, volume.tags, use.rules)) return { refused: 'never-begins' };

  const { account, region, volumeId } = plan;
  const item = await use.ledger.volume(account, region, volumeId);
  const last = item.holder === null ? null : await use.ledger.read(item.holder);
  if (isHeld(item, last, now)) return { refused: 'has-a-change', changeId: item.holder ?? '' };
  const id = use.newId();
  const taken = { ...item, holder: id, takenSeconds: now };
  if (!(await use.ledger.writeVolume(account, region, volumeId, taken))) {
    const { holder: other } = await use.ledger.volume(account, region, volumeId);
    return { refused: 'has-a-change', changeId: other ?? '' };
  }
  const rule = wasUndone(last, plan)
    ? null
    : approvingRule({ plan, kind: finding.kind, tags: volume.tags }, use.automatic);
  const change = propose(plan, id, { by, nowSeconds: now });
  const approvals =
    rule === null
      ? []
      : Array.from({ length: use.approvalsNeeded }, () => ({
          ...{ by: `rule ${rule}`, session: null, atSeconds: now },
        }));
  const proposed = { ...change, approvals };
  await use.start(proposed);
  return { change: proposed };
}
