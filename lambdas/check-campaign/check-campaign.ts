/** Looks at a request before anything is launched: can it be, what does it cost, where can its hosts be? */
import { type Campaign, type CampaignNote, campaignOf } from '../../core/benchmark/campaign/campaign.ts';
import { checkQuotas, needsOf, preflight, type Quota } from '../../core/benchmark/campaign/preflight.ts';
import { type BenchRequest, benchRequestSchema } from '../../core/benchmark/campaign/request.ts';
import { type Architecture, architectures, matchesType } from '../../core/catalog/instance-types.ts';
import type { RegionCatalog } from '../../core/catalog/region-catalog.ts';
import { BadInput } from '../../core/errors.ts';
import { usdText } from '../../core/figures.ts';
import type { Known } from '../../core/known.ts';

export interface CheckFrom {
  readRegionCatalog(): Promise<{ regionCatalog: RegionCatalog; notices: string[]; incomplete: string[] }>;
  /** In the order in which they are tried. */
  findSubnets(): Promise<string[]>;
  readQuota(quota: Quota): Promise<Known<number>>;
  now(): Date;
}

export interface CheckOptions {
  campaignId: string;
  region: string;
  maxCostUsd: number;
  /** Types of hosts, or beginnings of their names and `*`: IAM refuses others. */
  instanceTypes: readonly string[];
  label: string | null;
}

/** @throws BadInput in one line where it is none. */
function requestOf(value: unknown): BenchRequest {
  const { data, error } = benchRequestSchema.safeParse(value);
  if (error === undefined) return data;
  const [issue] = error.issues;
  throw new BadInput(`the request: ${issue?.path.join('.') || 'as a whole'}: ${issue?.message}`);
}

/** Linux of ours runs on the first of them that the type has. */
function architectureOf(regionCatalog: RegionCatalog, instanceType: string): Architecture {
  const found = architectures.find((one) =>
    regionCatalog.instanceTypes.get(instanceType)?.architectures.includes(one),
  );
  if (found === undefined)
    throw new BadInput(
      `${instanceType} runs neither x86_64 nor arm64, and images are of these: give another type`,
    );
  return found;
}

/** @throws BadInput where it cannot be, or costs too much; Unreadable where the account cannot be read. */
export async function checkCampaign(
  { campaignId, region, maxCostUsd, instanceTypes, label }: CheckOptions,
  asked: unknown,
  from: CheckFrom,
): Promise<Campaign> {
  const request = requestOf(asked);
  if (request.ceilingUsd > maxCostUsd)
    throw new BadInput(
      `ceilingUsd ${request.ceilingUsd} is above what a campaign may cost here (${usdText(maxCostUsd)}): ask for less, or raise benchmark.maxCostUsd in the configuration`,
    );
  for (const instanceType of request.instanceTypes)
    if (!instanceTypes.some((pattern) => matchesType(instanceType, pattern)))
      throw new BadInput(
        `${instanceType} is none of the types that hosts may be here: give one of ${instanceTypes.join(', ')}, or name it in benchmark.instanceTypes of the configuration, beside these, and deploy again`,
      );
  const { regionCatalog, notices, incomplete } = await from.readRegionCatalog();
  const checked = preflight(request, regionCatalog);
  const needs = needsOf(request, regionCatalog);
  const quotas = await Promise.all(needs.map(({ quota }) => from.readQuota(quota)));
  const ofQuotas = checkQuotas(request, needs, quotas);
  const ofCatalog = [...notices, ...incomplete].map(
    (text): CampaignNote => ({ code: 'of-region-catalog', text }),
  );
  const notes = [...checked.notes, ...ofQuotas, ...ofCatalog];
  return campaignOf(request, { ...checked, notes }, regionCatalog, {
    ...{ campaignId, region, label, checkedAt: from.now().toISOString() },
    subnetIds: await from.findSubnets(),
    architectureOf: (instanceType) => architectureOf(regionCatalog, instanceType),
  });
}
