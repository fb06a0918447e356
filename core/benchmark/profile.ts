/** A benchmark as data: which loads, one after the other, and for how long. */

export const profileNames = [
  'report-card',
  'oltp',
  'dss',
  'log',
  'randrw-16k',
  'iris-ranread',
  'iris-ranwrite',
  'drain-credits',
  'steady',
] as const;
export type ProfileName = (typeof profileNames)[number];

/** Whose file a job works on. Where a profile has several, each is on a file system of its own. */
export type Place = 'data' | 'writeImageJournal' | 'journal';

export interface FioJob {
  name: string;
  place: Place;
  /** fio's options by their names. */
  options: Readonly<Record<string, string | number>>;
}

/** One fio, and one result. */
export interface Step {
  /** Of letters, digits and hyphens; no two of a profile are the same. */
  name: string;
  /** That are measured. */
  seconds: number;
  /** Before them, with the same load. */
  rampSeconds: number;
  /** How many ask at the same time. */
  users: number;
  jobs: readonly FioJob[];
}

export interface Run {
  /** Of the data file; other places have a part of it (`partOfFile`). */
  fileSizeMiB: number;
  steps: readonly Step[];
}

export interface Profile {
  name: ProfileName;
  full: Run;
  /** The same loads in seconds, for emulated volumes: it shows that all works, not how fast anything is. */
  short: Run;
}

/** How many of the write image journal, of the journal and of a write cycle make a data file. */
export const partOfFile = 16;

export const placesOf = ({ steps }: Run): Place[] => [
  ...new Set(steps.flatMap(({ jobs }) => jobs.map(({ place }) => place))),
];
