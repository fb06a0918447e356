/** What the configuration file says of an audit, for `--config`: what stands on the command line goes before it. */
import { readConfig } from '../adapters/files/config-file.ts';
import { type KeptTags, keptTagKeys, noTags } from '../core/config/tags.ts';
import { defaultThresholds, type Thresholds, thresholdsOf } from '../core/diagnosis/thresholds.ts';
import type { LiveOptions } from './audit-live.ts';

export interface OfConfig {
  /** Of an audit of the account, where no option says otherwise. */
  live: Pick<LiveOptions, 'region' | 'periodSeconds' | 'maxQuotaPercent'> & { lookbackDays: number };
  tags: KeptTags;
  /** As documented where there is no file. */
  thresholds: Thresholds;
}

const withoutFile: OfConfig = {
  live: { lookbackDays: 14 },
  tags: noTags,
  thresholds: defaultThresholds,
};

/** @throws BadConfig where the file cannot be used. */
export function useConfig(file: string | undefined): OfConfig {
  const config = file === undefined ? null : readConfig(file);
  if (config === null) return withoutFile;
  const { regions, audit, exclude } = config;
  return {
    live: {
      ...(regions.length === 0 ? {} : { region: regions }),
      ...(audit.mode === 'adaptive' ? {} : { periodSeconds: audit.periodSeconds }),
      lookbackDays: audit.lookbackDays,
      maxQuotaPercent: audit.maxQuotaPercent,
    },
    tags: { keys: keptTagKeys(config), exclude: exclude.tags },
    thresholds: thresholdsOf(config.thresholds),
  };
}
