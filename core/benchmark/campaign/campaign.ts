/** A campaign that was checked: what it measures, where, and how long each host may live. */
import { z } from 'zod';
import { type Architecture, architectures } from '../../catalog/instance-types.ts';
import type { RegionCatalog } from '../../catalog/region-catalog.ts';
import { isRegionName } from '../../ids.ts';
import { knownMonthlyUsd } from '../../prices/prices.ts';
import { msPerSecond, secondsPerHour } from '../../units.ts';
import { cellsOf, memberOf } from './cells.ts';
import { type CellEstimate, hoursToLive } from './estimate.ts';
import { type Preflight, preflightNotes, quotaNotes } from './preflight.ts';
import { type BenchLayout, type BenchRequest, benchRequestSchema } from './request.ts';

/** Also the name of the execution; it becomes part of keys and tags. */
export const campaignIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'letters, digits, hyphens and underscores, 64 at most');
export const cellIdSchema = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'not the id of a cell');

/** Where the parts of a campaign are kept. */
export const campaignKeys = (campaignId: string) => ({
  folder: `campaigns/${campaignId}/`,
  campaign: `campaigns/${campaignId}/campaign.json`,
  host: (cellId: string) => `campaigns/${campaignId}/hosts/${cellId}.json`,
  /** Hosts write there, and nowhere else. */
  results: (cellId: string) => `campaigns/${campaignId}/results/${cellId}/`,
  result: (cellId: string, runId: string) => `campaigns/${campaignId}/results/${cellId}/${runId}.json`,
  /** What CloudWatch said of limits, where devices did not. */
  checks: (cellId: string) => `campaigns/${campaignId}/checks/${cellId}.json`,
  report: `campaigns/${campaignId}/report.json`,
  /** The same as a page that people open. */
  page: `campaigns/${campaignId}/report.html`,
});

/** What was measured for a finding, last. */
export const validationsFolder = 'validations/';
export const validationKey = (findingId: string): string => `${validationsFolder}${findingId}.json`;
/** Null where the key is none of a validation. */
export const findingIdOfValidation = (key: string): string | null =>
  /^validations\/([0-9a-f]{8,64})\.json$/.exec(key)?.[1] ?? null;

const campaignCellSchema = z.object({
  id: cellIdSchema,
  estimatedHours: z.number(),
  hoursToLive: z.number(),
  /** Of instance, volumes and address together. */
  usdPerHour: z.number(),
  /** What the volumes alone cost a month; null where a price is not known. */
  volumesMonthlyUsd: z.number().nullable(),
  /** Of the host: it says which launch template, and so which image. */
  architecture: z.enum(architectures),
  /** Where the instance has several EBS cards, those of the members in turn. */
  cards: z.int(),
});
export type CampaignCell = z.infer<typeof campaignCellSchema>;

/** What the result of a campaign cannot show, or was not known when it was checked. */
export const campaignNotes = [
  ...preflightNotes,
  ...quotaNotes,
  z
    .object({ code: z.literal('of-region-catalog'), text: z.string() })
    .meta({ description: 'what is to be known of the prices and types that it was checked with' }),
] as const;
const campaignNoteSchema = z.discriminatedUnion('code', campaignNotes);
export type CampaignNote = z.infer<typeof campaignNoteSchema>;

export const campaignSchema = z.object({
  version: z.literal(1),
  campaignId: campaignIdSchema,
  region: z.string().refine(isRegionName, 'not a Region'),
  checkedAt: z.iso.datetime(),
  request: benchRequestSchema,
  cells: z.array(campaignCellSchema),
  subnetIds: z.array(z.string()),
  estimatedUsd: z.number(),
  estimatedHours: z.number(),
  notes: z.array(campaignNoteSchema),
  /** What everybody who sees a result is reported first; where volumes are emulated, that they are. */
  label: z.string().nullable(),
});
export type Campaign = z.infer<typeof campaignSchema>;

export interface Place {
  campaignId: string;
  region: string;
  checkedAt: string;
  subnetIds: string[];
  label: string | null;
  /** By instance type. */
  architectureOf(instanceType: string): Architecture;
}

function cellOf(
  { id, hours, totalUsd }: CellEstimate,
  estimatedUsd: number,
  request: BenchRequest,
): Pick<CampaignCell, 'id' | 'estimatedHours' | 'hoursToLive' | 'usdPerHour'> {
  if (!totalUsd.known) throw new Error(`${id} was let through without a price`);
  return {
    ...{ id, estimatedHours: hours, usdPerHour: totalUsd.value / hours },
    hoursToLive: hoursToLive(hours, estimatedUsd, request),
  };
}

/** @param checked what `preflight` let through. */
export function campaignOf(
  request: BenchRequest,
  { estimate, notes }: Pick<Preflight, 'estimate'> & { notes: CampaignNote[] },
  regionCatalog: RegionCatalog,
  { architectureOf, ...place }: Place,
): Campaign {
  const { totalUsd, cells, hours } = estimate;
  if (!totalUsd.known) throw new Error('the campaign was let through without a price');
  const volumesUsd = (layout: BenchLayout): number | null => {
    const member = knownMonthlyUsd(memberOf(layout), regionCatalog.prices);
    return member.known ? member.value.total * layout.members : null;
  };
  return {
    version: 1,
    ...place,
    request,
    cells: cellsOf(request).map(({ layout, instanceType }, index) => ({
      ...cellOf(cells[index] as CellEstimate, totalUsd.value, request),
      volumesMonthlyUsd: volumesUsd(layout),
      architecture: architectureOf(instanceType),
      cards: regionCatalog.instanceTypes.get(instanceType)?.cards.length ?? 0,
    })),
    estimatedUsd: totalUsd.value,
    estimatedHours: hours,
    notes,
  };
}

/** @throws Error where the campaign has none of that id. */
export function cellOfCampaign({ request, cells, campaignId }: Campaign, cellId: string) {
  const index = cells.findIndex(({ id }) => id === cellId);
  const cell = cells[index];
  const layout = cellsOf(request)[index];
  if (cell === undefined || layout === undefined) throw new Error(`${campaignId} has no cell ${cellId}`);
  return { ...cell, ...layout };
}

/** A host that was launched: from when it lives, and its members in the order of the layout. */
export const hostSchema = z.object({
  instanceId: z.string(),
  /** That it runs; null: EC2 did not say. */
  imageId: z.string().nullable().default(null),
  volumeIds: z.array(z.string()),
  expiresAt: z.iso.datetime(),
});
export type CampaignHost = z.infer<typeof hostSchema>;

export const hoursBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / msPerSecond / secondsPerHour;
