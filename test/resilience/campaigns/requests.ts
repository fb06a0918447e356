/** What campaigns are asked for under faults: little, and quickly measured. */
const layout = { name: 'single', kind: 'single', members: 1, volumeType: 'gp3', sizeGiB: 20 };
const one = { layouts: [layout], instanceTypes: ['m5.large'], ceilingUsd: 5 };
export const profileRequest = { ...one, work: { kind: 'profile', profile: 'oltp', variant: 'short' } };
export const searchRequest = {
  ...one,
  work: {
    kind: 'search',
    goal: { percentile: 'p95', limitMs: 5 },
    load: { access: 'randread', blockKiB: 16 },
  },
};
