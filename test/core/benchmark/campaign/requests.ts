/** Requests that are easy to add up. */
import { type BenchRequest, benchRequestSchema } from '../../../../core/benchmark/campaign/request.ts';

export const aLayout = (layout: object = {}) => ({
  ...{ name: 'stripe', kind: 'stripe', members: 4, volumeType: 'gp3', sizeGiB: 100 },
  ...layout,
});

/** As somebody writes it. */
export const asked = (request: object = {}) => ({
  layouts: [aLayout()],
  instanceTypes: ['m1.large'],
  work: {
    ...{ kind: 'load', seconds: 593, fileSizeMiB: 4_000 },
    load: { access: 'randread', blockKiB: 8, users: 16 },
  },
  ceilingUsd: 10,
  ...request,
});

export const aRequest = (request: object = {}): BenchRequest => benchRequestSchema.parse(asked(request));
