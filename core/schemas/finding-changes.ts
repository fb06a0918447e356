/** What became of a finding between two runs, and why two runs may not be alike: without the schema, which a page does not need. */

export const findingChanges = ['new', 'worse', 'better', 'resolved', 'ongoing', 'not-evaluated'] as const;
export type FindingChange = (typeof findingChanges)[number];

export const comparisonNotes = [
  'same-run',
  'first-is-later',
  'other-accounts',
  'other-regions',
  'other-window-length',
  'other-thresholds',
  'more-excluded',
] as const;
export type ComparisonNote = (typeof comparisonNotes)[number];
