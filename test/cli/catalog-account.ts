/** An account with two instance types and the local Price List, and a cache of a test's own. */
import { join } from 'node:path';
import { DescribeInstanceTypesCommand } from '@aws-sdk/client-ec2';
import type { CatalogAnswer } from '../../core/schemas/catalog-answer.ts';
import type { RunningServer } from '../../local/http.ts';
import { startPricing } from '../../local/pricing/server.ts';
import { describedInstanceType } from '../fixtures/described-instance-type.ts';
import { aStoredCatalog } from '../fixtures/region-catalog.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { type LiveAccount, liveAccount } from './live-account.ts';
import { cliJson, runCli } from './run-cli.ts';

interface CatalogAccount {
  account: LiveAccount;
  directory: TemporaryDirectory;
  /** Where a Region's catalog is cached. */
  file(region?: string): string;
  /** Caches a region catalog, or whatever else is to be found there. */
  cached(regionCatalog?: object | string, region?: string): string;
  refresh(...options: string[]): ReturnType<typeof runCli>;
  show(...options: string[]): Promise<CatalogAnswer>;
}

export function catalogAccount(): CatalogAccount {
  const account = liveAccount();
  const directory = temporaryDirectory();
  let pricing: RunningServer;
  let cache = '';
  let caches = 0;
  beforeAll(async () => {
    pricing = await startPricing({ quota: { perSecond: 1_000, size: 1_000 } });
  });
  afterAll(() => pricing.stop());
  beforeEach(() => {
    cache = `cache-${caches++}`;
    account.environment({
      AWS_ENDPOINT_URL_PRICING: pricing.url,
      XDG_CACHE_HOME: join(directory.path, cache),
    });
    account.ec2.on(DescribeInstanceTypesCommand).resolves({
      InstanceTypes: [describedInstanceType('m5.large'), describedInstanceType('m5.xlarge')] as never,
    });
  });
  const name = (region = 'eu-central-1'): string => join(cache, 'stripewise', `catalog-${region}.json`);
  return {
    account,
    directory,
    file: (region) => join(directory.path, name(region)),
    cached: (regionCatalog = aStoredCatalog(), region = undefined) =>
      directory.write(name(region), regionCatalog),
    refresh: (...options) => runCli('catalog', 'refresh', '--region', 'eu-central-1', ...options),
    show: (...options) => cliJson<CatalogAnswer>('catalog', 'show', ...options),
  };
}
