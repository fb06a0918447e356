/** How long the archive's objects stay in the bucket of runs, and which of them become cheaper to keep. */
import { Duration } from 'aws-cdk-lib';
import { type LifecycleRule, StorageClass } from 'aws-cdk-lib/aws-s3';
import {
  fleetDaysKey,
  manifestsPrefix,
  metricsPrefix,
  stagingPrefix,
  tablePrefix,
} from '../../core/archive/keys.ts';
import { tableNames } from '../../core/archive/tables.ts';
import type { Config } from '../../core/config/config.ts';

/** Where Athena puts what it answered. */
export const resultsPrefix = 'athena-results/';

/** Longer than anybody needs to fetch an answer; Athena can be asked again. */
const resultsDays = 7;
/**
 * The next run commits what a stopped one staged. What lies longer belongs to an object that cannot be read: a person sees to it, and
 * after 15 days CloudWatch has these minutes no more. Twice as long.
 */
const stagingDays = 30;
const longestMonthDays = 31;

/** An object in Infrequent Access is paid for as 128 KB and 30 days at least, and what is read of it by the GB. */
const smallestInfrequentBytes = 128 * 1024;
const shortestInfrequentDays = 30;
/** S3 lets none go there earlier. */
const earliestTransitionDays = 30;

function infrequent(prefix: string, afterDays: number, keepDays: number): LifecycleRule[] {
  if (keepDays < afterDays + shortestInfrequentDays) return [];
  return [
    {
      prefix,
      objectSizeGreaterThan: smallestInfrequentBytes - 1,
      transitions: [
        { storageClass: StorageClass.INFREQUENT_ACCESS, transitionAfter: Duration.days(afterDays) },
      ],
    },
  ];
}

/** S3 counts from the last put: of a month from its end on, so that its first day is kept up to 31 days longer. */
export function archiveLifecycle({ archive, audit }: Config): LifecycleRule[] {
  if (archive === undefined) return [];
  const { keepDays } = archive;
  // No audit reads it any more, and late points came in long before.
  const day = Math.max(earliestTransitionDays, Math.ceil(audit.lookbackDays) + 1);
  // Put anew each day while it lasts: an object that changed after its transition would be paid for twice.
  const month = day + earliestTransitionDays;
  return [
    { prefix: metricsPrefix, expiration: Duration.days(keepDays) },
    ...tableNames.map((name) => ({ prefix: tablePrefix(name), expiration: Duration.days(keepDays) })),
    // Put anew with each run.
    { prefix: fleetDaysKey, expiration: Duration.days(keepDays) },
    // Put with its day, and needed as long as the rows of its month.
    { prefix: manifestsPrefix, expiration: Duration.days(keepDays + 2 * longestMonthDays) },
    ...infrequent(`${metricsPrefix}day=`, day, keepDays),
    ...infrequent(`${metricsPrefix}month=`, month, keepDays),
    { prefix: stagingPrefix, expiration: Duration.days(stagingDays) },
    { prefix: resultsPrefix, expiration: Duration.days(resultsDays) },
  ];
}
