const accountDigits = 12;

/** Where the parts of a run are kept. */
export const runKeys = (runId: string) => ({
  /** Of a run of several accounts: which accounts and targets it reads (targetListSchema). */
  targets: `work/${runId}/targets.json`,
  /** Of the targets what each is asked with, a list alone: a Distributed Map reads it. */
  targetList: `work/${runId}/target-list.json`,
  /** What the map over the targets says of itself. */
  targetsMap: `work/${runId}/targets-map`,
  /** Inventory in batches, as discovered. */
  batches: `work/${runId}/batches/`,
  /** What the names of all batches of a target begin with. */
  batchesOf: (account: string, region: string) => `work/${runId}/batches/${account}-${region}-`,
  /** Which batches a Region has, written when all of them are there. */
  region: (account: string, region: string) => `work/${runId}/regions/${account}-${region}.json`,
  /** One result a batch, under the batch's own name. */
  results: `work/${runId}/results/`,
  /** What the names of all results of a target begin with. */
  resultsOf: (account: string, region: string) => `work/${runId}/results/${account}-${region}-`,
  /** What the report draws of a batch, under its name; of one in which nothing was found there is none. */
  series: `work/${runId}/series/`,
  /** What the map over the batches says of itself. */
  map: `work/${runId}/map`,
  /** The same of a target, where there are several accounts. */
  mapOf: (account: string, region: string) => `work/${runId}/map/${account}-${region}`,
  /** What came of keeping what was read of a target. */
  archived: (account: string, region: string) => `work/${runId}/archived/${account}-${region}.json`,
  folder: `runs/${runId}/`,
  summary: `runs/${runId}/summary.json`,
  findings: `runs/${runId}/findings.jsonl`,
  volumes: `runs/${runId}/volumes.jsonl`,
  /** The page that people open. */
  report: `runs/${runId}/report.html`,
});

/** Points to the newest run that was collected. */
export const latestRunKey = 'runs/latest.json';

/** The accounts and Regions of the newest usual run of several accounts (targetListSchema). */
export const latestTargetsKey = 'runs/targets.json';

/** The runs that have a report (core/report/run-manifest.ts). */
export const runManifestKey = 'runs/manifest.json';

/** What the volumes of hosts counted, kept from run to run. */
export const hostReadingsFolder = 'hosts/';
export const hostReadingsKey = (account: string, region: string, instanceId: string): string =>
  `${hostReadingsFolder}${account}/${region}/${instanceId}.json`;

/** What was last read of a Region's instance types and prices. */
export const storedCatalogKey = (region: string): string => `catalog/${region}.json`;

/** Whose batch it is, by its name: accounts are numbers of one length. */
export const accountOfBatch = (name: string): string => name.slice(0, accountDigits);

/** The account and Region of a batch, by its name: what follows them has five digits. */
export const targetOfBatch = (name: string): string => name.replace(/-\d{5}(-.*)?\.json$/, '');

export const nameInFolder = (key: string): string => key.slice(key.lastIndexOf('/') + 1);
