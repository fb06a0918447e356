/** `stripewise catalog refresh`: a Region's instance types and prices, read from the account and kept in a file. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { EC2Client } from '@aws-sdk/client-ec2';
import type { PricingClient } from '@aws-sdk/client-pricing';
import type { Pluggable } from '@smithy/types';
import { CallCounter } from '../adapters/aws/call-counter.ts';
import { describeInstanceTypes } from '../adapters/aws/describe-instance-types.ts';
import { getPrices } from '../adapters/aws/get-prices.ts';
import { ec2Client, pricingClient } from '../adapters/aws/session.ts';
import { cachedCatalogFile, cachedStoredCatalog } from '../adapters/files/cached-catalog.ts';
import { writing } from '../adapters/files/write-file.ts';
import { regionCatalogChanges } from '../core/catalog/changes.ts';
import { builtInRegionCatalog, regionCatalogOf, type StoredCatalog } from '../core/catalog/region-catalog.ts';
import { BadInput, Unavailable, Unreadable } from '../core/errors.ts';
import { msPerSecond } from '../core/units.ts';
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
export function writeCatalog(file: string, regionCatalog: StoredCatalog): void {
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

/** A Region's catalog was read, and what it took. */
export interface CatalogRead extends RegionCatalogRead {
  /** Each attempt counts. */
  apiCalls: number;
}

/** How long a command waits that could do without, and how often it tries. */
export interface Patience {
  seconds: number;
  maxAttempts: number;
}

/** Runs a reading as long as somebody waits for it; then its clients make no call any more. */
async function inTime<T>(
  what: string,
  { seconds }: Patience,
  clients: readonly [EC2Client, PricingClient],
  read: () => Promise<T>,
): Promise<T> {
  const isOver = new AbortController();
  const late = (): Unavailable => new Unavailable(`${what} took longer than ${seconds} s`);
  const stop = <Input extends object, Output extends object>(): Pluggable<Input, Output> => ({
    applyToStack: (stack) =>
      stack.add(
        (next) => (args) => {
          if (isOver.signal.aborted) throw late();
          return next(args);
        },
        { step: 'finalizeRequest', name: 'stripewiseInTime', priority: 'low' },
      ),
  });
  const [ec2, pricing] = clients;
  ec2.middlewareStack.use(stop());
  pricing.middlewareStack.use(stop());
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isOver.abort();
      for (const client of clients) client.destroy();
      reject(late());
    }, seconds * msPerSecond);
  });
  try {
    return await Promise.race([read(), end]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads a Region's catalog.
 * @param older what is known of it: of a part that is missing now it is kept.
 * @throws BadInput without credentials; Unreadable where AWS does not give it, or not in time.
 */
export async function readCatalog(
  { region, profile }: Pick<RefreshOptions, 'region' | 'profile'>,
  older: StoredCatalog | null,
  io: Io,
  patience: Patience | null = null,
): Promise<CatalogRead> {
  const counter = new CallCounter();
  const session = {
    region,
    ...(profile === undefined ? {} : { profile }),
    ...(patience === null ? {} : { maxAttempts: patience.maxAttempts }),
  };
  const [ec2, pricing] = [ec2Client(session, counter), pricingClient(session, counter)];
  const reading = progress(io, `${region}: reading instance types and prices`, 2);
  const done = <T>(value: T): T => {
    reading.step();
    return value;
  };
  const read = (): Promise<RegionCatalogRead> =>
    readRegionCatalog(region, older, {
      describeInstanceTypes: async () => done(await describeInstanceTypes(ec2, region)),
      getPrices: async () => done(await getPrices(pricing, region)),
      now: io.now,
    });
  try {
    const what = `reading instance types and prices of ${region}`;
    const all = await (patience === null ? read() : inTime(what, patience, [ec2, pricing], read));
    return { ...all, apiCalls: counter.total };
  } catch (error) {
    throw error instanceof Unreadable ? asBadInput(error, profile) : error;
  } finally {
    reading.done();
  }
}

export async function refreshCatalog(options: RefreshOptions, io: Io): Promise<void> {
  const { region } = options;
  const older = before(region);
  const { regionCatalog, notices, apiCalls } = await readCatalog(options, older, io);
  const file = options.out ?? cachedCatalogFile(region);
  writeCatalog(file, regionCatalog);
  const [known, against] =
    older === null
      ? [builtInRegionCatalog(region), 'the tables that come with stripewise']
      : [regionCatalogOf(older), `what was read ${older.refreshedAt.slice(0, 10)}`];
  const after = regionCatalogOf(regionCatalog);
  io.out(
    `${region}: ${regionCatalog.instanceTypes.types.length} instance types, read in ${apiCalls} calls: ${file}`,
  );
  for (const source of after.prices.sources) io.out(`  ${sanitize(priceSourceText(source), 300)}`);
  for (const line of changesText(regionCatalogChanges(known, after), against)) io.out(line);
  for (const notice of notices) io.err(`stripewise: ${sanitize(noticeText(notice), 400)}`);
}
