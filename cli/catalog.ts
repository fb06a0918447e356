/** `stripewise catalog`: which instance types and prices are known, and from where. */
import { Command } from 'commander';
import { familyOf } from '../core/catalog/instance-types.ts';
import type { RegionCatalog } from '../core/catalog/region-catalog.ts';
import { BadInput } from '../core/errors.ts';
import { roundUsd } from '../core/prices/prices.ts';
import type { CatalogAnswer } from '../core/schemas/catalog-answer.ts';
import { catalogText } from '../report/terminal/catalog.ts';
import type { RefreshOptions } from './catalog-refresh.ts';
import { type Io, printJson } from './io.ts';
import { regionOption } from './options.ts';
import { regionCatalogsHere } from './region-catalogs.ts';

interface ShowOptions {
  region: string;
  instanceType?: string;
  json?: true;
}

function rowOf(
  { region, instanceTypes, prices }: RegionCatalog,
  name: string,
): CatalogAnswer['instanceType'] {
  const row = instanceTypes.get(name);
  if (row === undefined) {
    const family = instanceTypes.types
      .map(({ instanceType }) => instanceType)
      .filter((instanceType) => familyOf(instanceType) === familyOf(name));
    const right =
      family.length === 0
        ? 'give one like m7i.2xlarge, or refresh the catalog if it is newer'
        : `of ${familyOf(name)} are known: ${family.join(', ')}`;
    throw new BadInput(`--instance-type "${name}" is not known in ${region}: ${right}`);
  }
  const price = prices.instanceMonthlyUsd(name);
  return {
    ...row,
    monthlyUsd: price.known ? roundUsd(price.value) : null,
    monthlyUsdUnknownReason: price.known ? null : price.reason,
  };
}

function answer(regionCatalog: RegionCatalog, instanceType: string | undefined): CatalogAnswer {
  const { region, refreshedAt, instanceTypes, prices } = regionCatalog;
  const { types, asOf, source } = instanceTypes;
  return {
    region,
    refreshedAt,
    instanceTypes: {
      known: types.length,
      withEbsLimits: types.filter(({ ebs }) => ebs !== null).length,
      withPrice: types.filter((row) => prices.instanceMonthlyUsd(row.instanceType).known).length,
      asOf,
      source,
    },
    ebsPrices: prices.ebs.known ? prices.ebs.value : null,
    priceSources: prices.sources,
    instanceType: instanceType === undefined ? null : rowOf(regionCatalog, instanceType),
  };
}

const showCommand = (io: Io): Command =>
  new Command('show')
    .description('What is known of a Region: its instance types and prices, of which day and from where.')
    .option('--region <region>', 'of which Region', regionOption('--region'), 'us-east-1')
    .option('--instance-type <type>', 'all that is known of this one')
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
Examples:
  stripewise catalog show --region eu-central-1
  stripewise catalog show --instance-type r6in.32xlarge --json`,
    )
    .action(({ region, instanceType, json }: ShowOptions) => {
      const result = answer(regionCatalogsHere()(region), instanceType);
      if (json) printJson(io, result);
      else for (const line of catalogText(result, io.invokedAs)) io.out(line);
    });

const refreshCommand = (io: Io): Command =>
  new Command('refresh')
    .description('Read a Region from the account and keep it on this machine, for all commands.')
    .requiredOption('--region <region>', 'which Region', regionOption('--region'))
    .option('--profile <name>', 'the AWS profile to read with')
    .option('--out <file>', 'write it there instead; no command reads it there')
    .addHelpText(
      'after',
      `
Calls ec2:DescribeInstanceTypes and pricing:GetProducts, about 35 calls, which cost nothing. Kept in
$XDG_CACHE_HOME/stripewise, or ~/.cache/stripewise. Commands that use prices do the same by themselves where a Region is
missing or 30 days old; STRIPEWISE_CATALOG_REFRESH=off switches that off.

Example:
  stripewise catalog refresh --region eu-central-1 --profile production`,
    )
    .action(async (options: RefreshOptions) => {
      // Loaded only when needed: the AWS SDK takes long to load.
      const { refreshCatalog } = await import('./catalog-refresh.ts');
      await refreshCatalog(options, io);
    });

export const catalogCommand = (io: Io): Command =>
  new Command('catalog')
    .description('Instance types and prices: what is known, and reading them anew.')
    .addCommand(showCommand(io))
    .addCommand(refreshCommand(io));
