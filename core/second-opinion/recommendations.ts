/** Recommendations of AWS Compute Optimizer and of Cost Optimization Hub, from what their APIs answer and their exports hold. */
import { z } from 'zod';
import { isRegionName, isVolumeId } from '../ids.ts';
import { isVolumeType, takesIops } from '../limits/volume-limits.ts';
import type { OpinionConfiguration, OpinionSource } from '../schemas/second-opinion.ts';
import type { RecommendedOption, VolumeRecommendation } from '../schemas/volume-recommendation.ts';
import { msPerSecond } from '../units.ts';

/** Rows of one answer or file. What is not about an EBS volume is counted. */
export interface RecommendationRows {
  source: OpinionSource;
  rows: VolumeRecommendation[];
  rdsRows: number;
  otherRows: number;
  /** What it says of accounts or volumes that it has no recommendations for; absent: nothing. */
  errors?: string[];
}

// What a configuration is, whoever writes it.

interface Figures {
  volumeType: string;
  sizeGiB: number | null;
  iops: number | null;
  throughputMiBps: number | null;
}

/** What is asked for of its type: IOPS of gp2 follow from the size. Null where a figure that counts is missing. */
export function opinionConfiguration({
  volumeType,
  sizeGiB,
  iops,
  throughputMiBps,
}: Figures): OpinionConfiguration | null {
  if (!isVolumeType(volumeType) || sizeGiB === null || !(sizeGiB > 0)) return null;
  const provisioned = takesIops(volumeType);
  if (provisioned && iops === null) return null;
  if (volumeType === 'gp3' && throughputMiBps === null) return null;
  return {
    volumeType,
    sizeGiB,
    iops: provisioned ? iops : null,
    throughputMiBps: volumeType === 'gp3' ? throughputMiBps : null,
  };
}

/** Services leave out the fields that they have nothing to say in: a missing key is read as the least that can be known. */
const anything = z.unknown().optional();

/** A number, or one as text; null for what is missing, no number, or negative. */
const figureSchema = anything.transform((value): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
});

/** May be negative. */
const amountSchema = anything.transform((value): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
});

const textSchema = anything.transform((value): string => (typeof value === 'string' ? value.trim() : ''));

/** A time of the SDK, of the CLI (ISO 8601, or epoch seconds), or of the export (UTC without a zone). Null: no time. */
const timeSchema = anything.transform((value): string | null => {
  const time = timeOf(value);
  return time === null || Number.isNaN(time.getTime()) ? null : time.toISOString();
});

function timeOf(value: unknown): Date | null {
  if (value instanceof Date) return value;
  if (typeof value === 'number') return new Date(value * msPerSecond);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^\d{9,11}(\.\d+)?$/.test(text)) return new Date(Number(text) * msPerSecond);
  const [, day, clock = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|[+-]\d\d:?\d\d)?$/.exec(text) ?? [];
  return day === undefined ? null : new Date(`${day}T${clock}${zone.replace(/^(...)(\d\d)$/, '$1:$2')}`);
}

interface Place {
  volumeId: string;
  region: string | null;
  account: string | null;
}

/** Null where it is the ARN, or the id, of no volume. */
function placeOf(arn: string, account: string, region = ''): Place | null {
  const parts = arn.split(':');
  const isArn = parts[0] === 'arn';
  const volumeId = isArn ? (/^volume\/(.+)$/.exec(parts[5] ?? '')?.[1] ?? '') : arn;
  if (!isVolumeId(volumeId)) return null;
  const regionOf = isArn ? (parts[3] ?? '') : region;
  const accountOf = account === '' && isArn ? (parts[4] ?? '') : account;
  return {
    volumeId,
    region: isRegionName(regionOf) ? regionOf : null,
    account: /^\d{12}$/.test(accountOf) ? accountOf : null,
  };
}

const isRds = (text: string): boolean => /^arn:[^:]*:rds:/i.test(text) || /^(rds|aurora)/i.test(text);

// Compute Optimizer: get-ebs-volume-recommendations.

const ebsConfigurationSchema = z
  .object({
    volumeType: textSchema,
    volumeSize: figureSchema,
    volumeBaselineIOPS: figureSchema,
    volumeBaselineThroughput: figureSchema,
  })
  .transform(
    ({ volumeType, volumeSize, volumeBaselineIOPS, volumeBaselineThroughput }): Figures => ({
      volumeType,
      sizeGiB: volumeSize,
      iops: volumeBaselineIOPS,
      throughputMiBps: volumeBaselineThroughput,
    }),
  );

const noFigures: Figures = { volumeType: '', sizeGiB: null, iops: null, throughputMiBps: null };

const savingSchema = z
  .object({ estimatedMonthlySavings: z.object({ value: amountSchema }).nullish().catch(null) })
  .nullish()
  .catch(null);

const computeOptimizerRowSchema = z.object({
  volumeArn: textSchema,
  accountId: textSchema,
  finding: textSchema,
  currentConfiguration: ebsConfigurationSchema.catch(noFigures),
  lookBackPeriodInDays: figureSchema,
  lastRefreshTimestamp: timeSchema,
  volumeRecommendationOptions: z
    .array(
      z.object({
        configuration: ebsConfigurationSchema.catch(noFigures),
        rank: figureSchema,
        performanceRisk: figureSchema,
        savingsOpportunity: savingSchema,
      }),
    )
    .nullish()
    .catch(null),
});

/** "OptInRequiredException: ... (111122223333)". */
const errorSchema = z
  .object({ identifier: textSchema, code: textSchema, message: textSchema })
  .transform(({ identifier, code, message }) =>
    [code || 'Unknown', message === '' ? '' : `: ${message}`, identifier && ` (${identifier})`].join(''),
  );

/** One page, as the CLI prints it and the SDK gives it. Beside it: pages about RDS are known as that. */
export const computeOptimizerPageSchema = z.union([
  z.object({
    volumeRecommendations: z.array(z.unknown()),
    errors: z.array(errorSchema).nullish().catch(null),
  }),
  z.object({ rdsDBRecommendations: z.array(z.unknown()) }),
]);
export type ComputeOptimizerPage = z.infer<typeof computeOptimizerPageSchema>;

const optionOf = (
  figures: Figures,
  {
    rank,
    performanceRisk,
    monthlyUsdSaving,
  }: Pick<RecommendedOption, 'rank' | 'performanceRisk' | 'monthlyUsdSaving'>,
): RecommendedOption => ({
  rank,
  volumeType: figures.volumeType,
  configuration: opinionConfiguration(figures),
  performanceRisk,
  monthlyUsdSaving,
});

const actionOf = (finding: string, options: readonly RecommendedOption[]): VolumeRecommendation['action'] =>
  /^optimi[sz]ed$/i.test(finding) || options.length === 0 ? 'keep' : 'change';

function computeOptimizerRow(row: unknown): VolumeRecommendation | null {
  const parsed = computeOptimizerRowSchema.safeParse(row);
  if (!parsed.success) return null;
  const { volumeArn, accountId, finding, currentConfiguration, volumeRecommendationOptions } = parsed.data;
  const place = placeOf(volumeArn, accountId);
  if (place === null) return null;
  const options = (volumeRecommendationOptions ?? [])
    .map(({ configuration, rank, performanceRisk, savingsOpportunity }, index) =>
      optionOf(configuration, {
        rank: rank ?? index + 1,
        performanceRisk,
        monthlyUsdSaving: savingsOpportunity?.estimatedMonthlySavings?.value ?? null,
      }),
    )
    .sort((a, b) => a.rank - b.rank);
  return {
    source: 'compute-optimizer',
    ...place,
    action: actionOf(finding, options),
    current: opinionConfiguration(currentConfiguration),
    options,
    lookBackDays: parsed.data.lookBackPeriodInDays,
    lastRefreshed: parsed.data.lastRefreshTimestamp,
  };
}

/** Of a row that is none: what it calls itself; empty where it does not. */
function arnOf(row: unknown): string {
  if (typeof row !== 'object' || row === null) return '';
  const named = Object.entries(row).find(([key]) => ['volumeArn', 'resourceArn', 'resourceId'].includes(key));
  return typeof named?.[1] === 'string' ? named[1] : '';
}

/** Rows as they are parsed; those that are none, by what they are. */
function counted(
  source: OpinionSource,
  all: readonly unknown[],
  rowOf: (row: unknown) => VolumeRecommendation | null,
  isOfRds: (row: unknown) => boolean = (row) => isRds(arnOf(row)),
): RecommendationRows {
  const counts: RecommendationRows = { source, rows: [], rdsRows: 0, otherRows: 0 };
  for (const row of all) {
    const parsed = rowOf(row);
    if (parsed !== null) counts.rows.push(parsed);
    else if (isOfRds(row)) counts.rdsRows++;
    else counts.otherRows++;
  }
  return counts;
}

export function computeOptimizerRows(pages: readonly ComputeOptimizerPage[]): RecommendationRows {
  const ofVolumes = pages.flatMap((page) =>
    'volumeRecommendations' in page ? page.volumeRecommendations : [],
  );
  const ofRds = pages.flatMap((page) => ('rdsDBRecommendations' in page ? page.rdsDBRecommendations : []));
  const found = counted('compute-optimizer', ofVolumes, computeOptimizerRow);
  const errors = pages.flatMap((page) => ('errors' in page ? (page.errors ?? []) : []));
  return {
    ...{ ...found, rdsRows: found.rdsRows + ofRds.length },
    ...(errors.length === 0 ? {} : { errors }),
  };
}

// Compute Optimizer: the exported CSV. Its columns are chosen by who exports; Athena writes them in small letters.

/** What a file must have to be the export of volumes. */
const exportColumns = ['volumearn', 'finding'] as const;

export const isExportOfVolumes = (header: readonly string[]): boolean => {
  const names = header.map((name) => name.toLowerCase());
  return exportColumns.every((name) => names.includes(name));
};

/** The export of RDS storage has other columns. */
export const isExportOfRds = (header: readonly string[]): boolean =>
  header.some((name) =>
    /^(currentdbinstanceclass|storagefinding|instancefinding|dbclusteridentifier)$/i.test(name),
  );

const ranks = [1, 2, 3] as const;

function exportedRow(columns: ReadonlyMap<string, string>): VolumeRecommendation | null {
  const text = (name: string): string => columns.get(name.toLowerCase())?.trim() ?? '';
  const figure = (name: string): number | null => figureSchema.parse(text(name));
  const figures = (prefix: string): Figures => ({
    volumeType: text(`${prefix}_volumeType`),
    sizeGiB: figure(`${prefix}_volumeSize`),
    iops: figure(`${prefix}_volumeBaselineIOPS`),
    throughputMiBps: figure(`${prefix}_volumeBaselineThroughput`),
  });
  const place = placeOf(text('volumeArn'), text('accountId'));
  if (place === null) return null;
  const options = ranks.flatMap((rank) => {
    const prefix = `recommendationOptions_${rank}`;
    const configuration = figures(`${prefix}_configuration`);
    if (configuration.volumeType === '') return [];
    return optionOf(configuration, {
      rank,
      performanceRisk: figure(`${prefix}_performanceRisk`),
      monthlyUsdSaving: amountSchema.parse(text(`${prefix}_estimatedMonthlySavings_value`)),
    });
  });
  return {
    source: 'compute-optimizer',
    ...place,
    action: actionOf(text('finding'), options),
    current: opinionConfiguration(figures('currentConfiguration')),
    options,
    lookBackDays: figure('lookBackPeriodInDays'),
    lastRefreshed: timeSchema.parse(text('lastRefreshTimestamp_UTC') || text('lastRefreshTimestamp')),
  };
}

/** @param lines of the file without its header. */
export function exportedRows(
  header: readonly string[],
  lines: readonly (readonly string[])[],
): RecommendationRows {
  const names = header.map((name) => name.toLowerCase());
  const records = lines.map((fields) => new Map(names.map((name, i) => [name, fields[i] ?? ''])));
  return counted(
    'compute-optimizer',
    records,
    (row) => exportedRow(row as ReadonlyMap<string, string>),
    (row) => isRds((row as ReadonlyMap<string, string>).get('volumearn') ?? ''),
  );
}

// Cost Optimization Hub: the rows of ListRecommendations, with the details that GetRecommendation gives.

const hubConfigurationSchema = z
  .object({
    ebsVolume: z.object({
      configuration: z.object({
        storage: z.object({ type: textSchema, sizeInGb: figureSchema }).nullish().catch(null),
        performance: z.object({ iops: figureSchema, throughput: figureSchema }).nullish().catch(null),
      }),
    }),
  })
  .transform(
    ({ ebsVolume: { configuration } }): Figures => ({
      volumeType: configuration.storage?.type ?? '',
      sizeGiB: configuration.storage?.sizeInGb ?? null,
      iops: configuration.performance?.iops ?? null,
      throughputMiBps: configuration.performance?.throughput ?? null,
    }),
  )
  .catch(noFigures);

const hubRowSchema = z.object({
  recommendationId: textSchema,
  accountId: textSchema,
  region: textSchema,
  resourceId: textSchema,
  resourceArn: textSchema,
  currentResourceType: textSchema,
  actionType: textSchema,
  estimatedMonthlySavings: amountSchema,
  lastRefreshTimestamp: timeSchema,
  recommendationLookbackPeriodInDays: figureSchema,
  currentResourceDetails: hubConfigurationSchema,
  recommendedResourceDetails: hubConfigurationSchema,
});

/** One page of ListRecommendations. */
export const hubPageSchema = z.object({ items: z.array(z.unknown()) });

export const isHubRow = (row: unknown): boolean =>
  typeof row === 'object' && row !== null && 'actionType' in row && 'currentResourceType' in row;

/** The id to ask GetRecommendation for its details; null: no row of an EBS volume. */
export function hubDetailsId(row: unknown): string | null {
  const parsed = hubRowSchema.safeParse(row);
  if (!parsed.success || parsed.data.currentResourceType !== 'EbsVolume') return null;
  return parsed.data.recommendationId === '' ? null : parsed.data.recommendationId;
}

const isDelete = (actionType: string): boolean => /^(Delete|Stop|ScaleIn)$/i.test(actionType);

function hubRow(row: unknown): VolumeRecommendation | null {
  const parsed = hubRowSchema.safeParse(row);
  if (!parsed.success || parsed.data.currentResourceType !== 'EbsVolume') return null;
  const { resourceArn, resourceId, accountId, region, actionType } = parsed.data;
  const place = placeOf(resourceArn === '' ? resourceId : resourceArn, accountId, region);
  if (place === null) return null;
  const action = isDelete(actionType) ? 'delete' : 'change';
  const option = optionOf(parsed.data.recommendedResourceDetails, {
    rank: 1,
    performanceRisk: null,
    monthlyUsdSaving: parsed.data.estimatedMonthlySavings,
  });
  return {
    source: 'cost-optimization-hub',
    ...place,
    action,
    current: opinionConfiguration(parsed.data.currentResourceDetails),
    options: action === 'delete' ? [] : [option],
    lookBackDays: parsed.data.recommendationLookbackPeriodInDays,
    lastRefreshed: parsed.data.lastRefreshTimestamp,
  };
}

const isHubRowOfRds = (row: unknown): boolean => {
  const type = hubRowSchema.safeParse(row);
  return type.success && isRds(type.data.currentResourceType);
};

export const hubRows = (items: readonly unknown[]): RecommendationRows =>
  counted('cost-optimization-hub', items, hubRow, isHubRowOfRds);
