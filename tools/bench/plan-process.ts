/** Makes so many plans in a process of its own and prints what they took as JSON. */
import { builtInRegionCatalog } from '../../core/catalog/region-catalog.ts';
import { plan } from '../../core/plan/plan.ts';
import { withWrittenSteps } from '../../report/steps/written-steps.ts';
import { randomRequests } from './random-needs.ts';

const regionCatalog = builtInRegionCatalog('us-east-1');
const requests = randomRequests(Number(process.argv[2]));
const start = process.hrtime.bigint();
const options = requests.reduce(
  (total, request) => total + withWrittenSteps(plan(request, regionCatalog), request).options.length,
  0,
);
console.log(
  JSON.stringify({
    options,
    seconds: Number(process.hrtime.bigint() - start) / 1e9,
    peakMiB: process.resourceUsage().maxRSS / 1024,
  }),
);
