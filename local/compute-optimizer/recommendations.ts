/** All that Compute Optimizer and Cost Optimization Hub say of a simulated fleet, with the odd ones that were planted in it. */
import { secondsPerHour } from '../../core/units.ts';
import type { RecordedFleet } from '../load-fleet.ts';
import { type HubRow, hubRowOf, hubRowOfRds, hubRowToDelete } from './hub.ts';
import { detachedVolumes, observedVolumes } from './observed.ts';
import { recommend, type VolumeRecommendation } from './recommend.ts';

export interface Recommendations {
  volumes: VolumeRecommendation[];
  hub: HubRow[];
}

/** What is odd, by the names of volumes. Compute Optimizer does all of it; which volumes it is here is chosen. */
export const planted = {
  /** Hours since they were attached: too few for a recommendation. */
  newlyAttached: { 'eu-spread': 12, 'tiny-light': 20, 'pair-subsecond': 29 } as Readonly<
    Record<string, number>
  >,
  /** Made three days ago. */
  stale: ['web-files', 'uploads'],
  /** Made of 93 days, which somebody paid for. */
  otherLookBack: ['index-1', 'index-2'],
  /** The first option is of a type that came after this version. */
  unknownType: ['web-mail', 'pair-light'],
  /** The volume was modified since: it had half of its size. */
  changedSince: ['events-state', 'app-twice'],
} as const;

const staleHours = 72;
const otherLookBackDays = 93;
/** Of the organization, and read by nobody here. */
const anotherAccount = '444455556666';
/** In no inventory: it was deleted since. */
const deletedVolumeId = 'vol-0dead0000000dead0';
/** A recommendation is a few hours old. */
const usualAgeHours = 6;

function withPlants(one: VolumeRecommendation, name: string): VolumeRecommendation {
  const is = (names: readonly string[]): boolean => names.includes(name);
  const { currentConfiguration: current, volumeRecommendationOptions: options } = one;
  if (is(planted.stale))
    return {
      ...one,
      lastRefreshTimestamp: one.lastRefreshTimestamp - (staleHours - usualAgeHours) * secondsPerHour,
    };
  if (is(planted.otherLookBack)) return { ...one, lookBackPeriodInDays: otherLookBackDays };
  if (is(planted.unknownType))
    return {
      ...{ ...one, finding: 'NotOptimized' },
      volumeRecommendationOptions: options.map((option) =>
        option.rank === 1
          ? { ...option, configuration: { ...option.configuration, volumeType: 'gp9' } }
          : option,
      ),
    };
  if (is(planted.changedSince))
    return { ...one, currentConfiguration: { ...current, volumeSize: Math.ceil(current.volumeSize / 2) } };
  return one;
}

export interface RecommendationsOptions {
  /** Whose volumes a Region has. */
  accountOf: (region: string) => string;
  /** False: nothing odd. @default true */
  isPlanted?: boolean;
}

/** In the order of the inventory; what is of nobody here comes last. */
export function recommendationsOf(
  fleet: RecordedFleet,
  { accountOf, isPlanted = true }: RecommendationsOptions,
): Recommendations {
  const refreshedEpochSeconds = fleet.endEpochSeconds - usualAgeHours * secondsPerHour;
  const observed = observedVolumes(fleet, isPlanted ? { newlyAttached: planted.newlyAttached } : {});
  const own = observed.flatMap((volume): VolumeRecommendation[] => {
    const one = recommend(volume, { account: accountOf(volume.region), refreshedEpochSeconds });
    if (one === null) return [];
    return [isPlanted ? withPlants(one, volume.name) : one];
  });
  const volumes = isPlanted ? [...own, ...ofNobodyHere(own)] : own;
  const toDelete = detachedVolumes(fleet).map(({ volumeId, region, configuration }) =>
    hubRowToDelete(
      { volumeArn: `arn:aws:ec2:${region}:${accountOf(region)}:volume/${volumeId}`, configuration },
      refreshedEpochSeconds,
    ),
  );
  const databases = isPlanted
    ? fleet.regions.map(({ region }) =>
        hubRowOfRds({ account: accountOf(region), region, name: `${region}-ledger` }, refreshedEpochSeconds),
      )
    : [];
  const hub = [...volumes.map(hubRowOf), ...toDelete].filter((row) => row !== null);
  return { volumes, hub: [...hub, ...databases] };
}

/** One of another account, and one of a volume that is gone. */
function ofNobodyHere(own: readonly VolumeRecommendation[]): VolumeRecommendation[] {
  const like = own.find(({ finding }) => finding === 'NotOptimized');
  if (like === undefined) return [];
  const { accountId, volumeArn } = like;
  return [
    {
      ...{ ...like, accountId: anotherAccount },
      volumeArn: volumeArn.replace(accountId, anotherAccount).replace(/vol-.*/, 'vol-0aaaa1111bbbb2222'),
    },
    { ...like, volumeArn: volumeArn.replace(/vol-.*/, deletedVolumeId) },
  ];
}
