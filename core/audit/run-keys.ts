/** Where the parts of a run are kept. */
export const runKeys = (runId: string) => ({
  /** Inventory in batches, as discovered. */
  batches: `work/${runId}/batches/`,
  /** Which batches a Region has, written when all of them are there. */
  region: (account: string, region: string) => `work/${runId}/regions/${account}-${region}.json`,
  /** One result a batch, under the batch's own name. */
  results: `work/${runId}/results/`,
  /** What the report draws of a batch, under its name; of one in which nothing was found there is none. */
  series: `work/${runId}/series/`,
  /** What the map over the batches says of itself. */
  map: `work/${runId}/map`,
  folder: `runs/${runId}/`,
  summary: `runs/${runId}/summary.json`,
  findings: `runs/${runId}/findings.jsonl`,
  volumes: `runs/${runId}/volumes.jsonl`,
  /** The page that people open. */
  report: `runs/${runId}/report.html`,
});

/** Points to the newest run that was collected. */
export const latestRunKey = 'runs/latest.json';

/** The accounts and Regions of the newest run of several accounts (core/schemas/run-targets.ts). */
export const latestTargetsKey = 'targets/latest.json';

/** The runs that have a report (core/report/run-manifest.ts). */
export const runManifestKey = 'runs/manifest.json';

/** What was last read of a Region's instance types and prices. */
export const storedCatalogKey = (region: string): string => `catalog/${region}.json`;

export const nameInFolder = (key: string): string => key.slice(key.lastIndexOf('/') + 1);
