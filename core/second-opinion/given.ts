/** What was read of other services, put beside an inventory. */
import type { Volume } from '../inventory.ts';
import type { OpinionRead } from '../schemas/second-opinion.ts';
import type { GivenOpinions, VolumeRecommendation } from '../schemas/volume-recommendation.ts';
import type { RecommendationRows } from './recommendations.ts';

/** Volumes that somebody would change or delete: their load is to be in memory. */
export const idsToSimulate = (opinions: readonly GivenOpinions[] = []): Set<string> =>
  new Set(
    opinions.flatMap(({ recommendations }) =>
      recommendations.flatMap(({ volumeId, action }) => (action === 'keep' ? [] : [volumeId])),
    ),
  );

type Matchable = Pick<Volume, 'volumeId'> & Partial<Pick<Volume, 'region' | 'account'>>;

interface Asked {
  volumes: readonly Matchable[];
  /** Accounts that the audit reads; null: not known, as of files. */
  accounts: readonly string[] | null;
  /** Where it was asked; null: a file, or all Regions. */
  account: string | null;
  region: string | null;
}

/** A row that names another Region or account is of another volume, whatever its id says. */
const isOf = (row: VolumeRecommendation, { region, account }: Matchable): boolean =>
  [
    [row.region, region],
    [row.account, account],
  ].every(([said, own]) => said == null || own == null || said === own);

/** Latest first: of a volume that comes twice that one counts. */
const byTime = (a: VolumeRecommendation, b: VolumeRecommendation): number =>
  (b.lastRefreshed ?? '').localeCompare(a.lastRefreshed ?? '');

/** The rows of volumes that the audit has, each once, and what became of the others. */
export function matched(
  { source, rows, rdsRows, otherRows, errors = [] }: RecommendationRows,
  { volumes, accounts, account, region }: Asked,
): { given: GivenOpinions; read: OpinionRead } {
  const ofAudit = new Map(volumes.map((volume) => [volume.volumeId, volume]));
  const byVolume = new Map<string, VolumeRecommendation>();
  let [otherAccounts, unmatched] = [0, 0];
  for (const row of rows.toSorted(byTime)) {
    const volume = ofAudit.get(row.volumeId);
    if (volume !== undefined && isOf(row, volume)) {
      if (!byVolume.has(row.volumeId)) byVolume.set(row.volumeId, row);
    } else if (accounts !== null && row.account !== null && !accounts.includes(row.account)) otherAccounts++;
    else unmatched++;
  }
  const [error = null] = errors;
  const regions = [...new Set(rows.flatMap((row) => row.region ?? []))];
  const recommendations = [...byVolume.values()];
  return {
    // A file is of the Regions that it names: of others nobody asked.
    given: { source, recommendations, regions: region === null && account === null ? regions : null },
    read: {
      ...{ source, account, region, rdsRows, otherAccounts, unmatched },
      // Without rows an error is why there are none; beside rows it is of others.
      ...(rows.length > 0
        ? { status: 'read', error: null }
        : { status: error === null ? 'empty' : 'failed', error }),
      recommendations: recommendations.length,
      ...(otherRows === 0 ? {} : { otherRows }),
    },
  };
}

/** What nobody could read. */
export const notRead = (
  where: Pick<OpinionRead, 'source' | 'account' | 'region'>,
  status: 'not-enabled' | 'denied' | 'failed',
  error: string,
): OpinionRead => ({
  ...{ ...where, status, error, recommendations: 0, rdsRows: 0, otherAccounts: 0, unmatched: 0 },
});

/** Of the volumes of a batch alone. */
export function opinionsOfBatch(
  opinions: readonly GivenOpinions[],
  volumes: readonly Pick<Volume, 'volumeId'>[],
): GivenOpinions[] {
  const ids = new Set(volumes.map(({ volumeId }) => volumeId));
  return opinions.map((given) => ({
    ...given,
    recommendations: given.recommendations.filter(({ volumeId }) => ids.has(volumeId)),
  }));
}
