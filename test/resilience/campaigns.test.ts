/**
 * Campaigns under faults: whatever goes wrong in whichever state, nothing is left after the cleanup's next run, and the
 * report, or the execution itself, says what happened. The other half is in campaigns-interrupted.test.ts.
 */
import { type CampaignDay, startCampaignDay } from './campaigns/campaign-day.ts';
import { expectAll } from './campaigns/expect-all.ts';
import { troublesOfRoom, troublesOfSearches } from './campaigns/troubles-of-hosts.ts';
import { errorsOfSteps } from './campaigns/troubles-of-steps.ts';

let day: CampaignDay;

beforeAll(async () => {
  day = await startCampaignDay();
}, 400_000);
afterAll(() => day?.remove());

test('errors, throttling and killed functions, in each state', () =>
  expectAll(day, 'Errors of the steps of a campaign', errorsOfSteps));
test('room in EC2', () => expectAll(day, 'Room in EC2', troublesOfRoom));
test('searches', () => expectAll(day, 'Searches', troublesOfSearches));
