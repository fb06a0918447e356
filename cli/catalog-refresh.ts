/** `stripewise catalog refresh`: a Region's instance types and prices, read from the account and kept in a file. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CallCounter } from '../adapters/aws/call-counter.ts';
import { describeInstanceTypes } from '../adapters/aws/describe-instance-types.ts';
import { getPrices } from '../adapters/aws/get-prices.ts';
import { ec2Client, pricingClient } from '../adapters/aws/session.ts';
import { cachedCatalogFile, cachedStoredCatalog } from '../adapters/files/cached-catalog.ts';
import { writing } from '../adapters/files/write-file.ts';
import { regionCatalogChanges } from '../core/catalog/changes.ts';
import { builtInRegionCatalog, regionCatalogOf, type StoredCatalog } from '../core/catalog/region-catalog.ts';
import { BadInput, Unreadable } from '../core/errors.ts';
import { type RegionCatalogRead, readRegionCatalog } from '../lambdas/refresh-catalog/refresh-catalog.ts';
import { changesText } from '../report/terminal/catalog.ts';
import { sanitize } from '../report/terminal/text.ts';
import { noticeText } from '../report/wording/audit-notices.ts';
import { priceSourceText } from '../report/wording/catalog.ts';
import { asBadInput } from './credentials.ts';
import type { Io } from './io.ts';
import { progress } from './progress.ts';

export interface RefreshOptions {
  region: string;
  profile?: string;
  out?: string;
}

/** What was known before; a file that cannot be used is about to be replaced. */
function before(region: string): StoredCatalog | null {
  try {
    return cachedStoredCatalog(region);
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return null;
  }
}

/** Through a file beside it: what reads it meanwhile finds the old one or the new one, whole. */
function writeWhole(file: string, regionCatalog: StoredCatalog): void {
  const temporary = `${file}.${process.pid}.new`;
  writing(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    try {
      writeFileSync(temporary, JSON.stringify(regionCatalog));
      renameSync(temporary, file);
    } finally {
      rmSync(temporary, { force: true });
    }
  });
}

async function read(
  { region, profile }: RefreshOptions,
  older: StoredCatalog | null,
  counter: CallCounter,
  io: Io,
): Promise<RegionCatalogRead> {
  const session = { region, ...(profile === undefined ? {} : { profile }) };
  const reading = progress(io, `${region}: reading instance types and prices`, 2);
  const done = <T>(value: T): T => {
    reading.step();
    return value;
  };
  try {
    return await readRegionCatalog(region, older, {
      describeInstanceTypes: async () =>
        done(await describeInstanceTypes(ec2Client(session, counter), region)),
      getPrices: async () => done(await getPrices(pricingClient(session, counter), region)),
      now: io.now,
    });
  } catch (error) {
    throw error instanceof Unreadable ? asBadInput(error, profile) : error;
  } finally {
    reading.done();
  }
}

export async function refreshCatalog(options: RefreshOptions, io: Io): Promise<void> {
  const { region } = options;
  const counter = new CallCounter();
  const older = before(region);
  const { regionCatalog, notices } = await read(options, older, counter, io);
  const file = options.out ?? cachedCatalogFile(region);
  writeWhole(file, regionCatalog);
  const [known, against] =
    older === null
      ? [builtInRegionCatalog(region), 'the tables that come with stripewise']
      : [regionCatalogOf(older), `what was read ${older.refreshedAt.slice(0, 10)}`];
  const after = regionCatalogOf(regionCatalog);
  io.out(
    `${region}: ${regionCatalog.instanceTypes.types.length} instance types, read in ${counter.total} calls: ${file}`,
  );
  for (const source of after.prices.sources) io.out(`  ${sanitize(priceSourceText(source), 300)}`);
  for (const line of changesText(regionCatalogChanges(known, after), against)) io.out(line);
  for (const notice of notices) io.err(`stripewise: ${sanitize(noticeText(notice), 400)}`);
}
