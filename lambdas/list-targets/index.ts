import { z } from 'zod';
import { CallCounter } from '../../adapters/aws/call-counter.ts';
import { enabledRegions, listAccounts, organizationsClient } from '../../adapters/aws/list-accounts.ts';
import { refusedBy } from '../../adapters/aws/refusals.ts';
import { runKeys } from '../../core/audit/run-keys.ts';
import { organizationSchema } from '../../core/config/organization.ts';
import { AccessDenied, BadInput } from '../../core/errors.ts';
import { partitionOf } from '../../core/ids.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { runStore } from '../shared/read-run.ts';
import { accountOf, sessionIn } from '../shared/reading-clients.ts';
import { envSchema } from './env.ts';
import { listTargets, planOfRun, runRequestSchema } from './list-targets.ts';
import { type ListFrom, targetsOfAccounts } from './several-accounts.ts';

const accountSchema = z.string().regex(/^\d{12}$/);

const env = environmentOf(envSchema);

const ofOneSchema = runRequestSchema.transform((request) => ({ request, organization: null }));
const ofSeveralSchema = z.object({
  request: runRequestSchema,
  organization: organizationSchema,
  runId: z.string().min(1),
});
type OfSeveral = z.infer<typeof ofSeveralSchema>;
const eventSchema = z.lazy(() => (env().MEMBER_ROLE === undefined ? ofOneSchema : ofSeveralSchema));

/** One client for the whole organization, one session for each account that is asked for its Regions. */
function listFrom(runId: string, account: string, counter: CallCounter): ListFrom {
  const region = process.env['AWS_REGION'] ?? '';
  const partition = partitionOf(region);
  return {
    listAccounts: async (from) => {
      try {
        return await listAccounts(organizationsClient({ region }, counter), from);
      } catch (error) {
        if (!(error instanceof AccessDenied)) throw error;
        throw new BadInput(
          `the accounts of the organization cannot be listed: ${error.message}: deploy into the management account or a delegated administrator, or name the accounts in organization.accounts`,
          { cause: error },
        );
      }
    },
    enabledRegions: async (asked) => {
      try {
        const target = { partition, account: asked, region };
        const session = await sessionIn(target, env().MEMBER_ROLE ?? null, { account, runId });
        return await enabledRegions(session, counter);
      } catch (error) {
        return refusedBy(error);
      }
    },
  };
}

function defaults() {
  const { LOOKBACK_DAYS, PERIOD_SECONDS, READ_MINUTES, ARCHIVE } = env();
  return {
    ...{ lookbackDays: LOOKBACK_DAYS, periodSeconds: PERIOD_SECONDS, readMinutes: READ_MINUTES },
    isArchived: ARCHIVE !== undefined,
  };
}

/** What it found lies in the bucket: with thousands of targets it would not fit between two states. */
async function ofSeveral({ request, organization, runId }: OfSeveral, account: string) {
  const { BUCKET = '', REGIONS } = env();
  const run = planOfRun(request, defaults(), new Date());
  const counter = new CallCounter();
  const { accounts, regions } = request;
  const read = await targetsOfAccounts(
    {
      ...{ organization, accounts, regions, defaultRegions: REGIONS.split(',') },
      partition: partitionOf(process.env['AWS_REGION'] ?? ''),
    },
    listFrom(runId, account, counter),
  );
  const { targets } = read;
  const store = runStore(BUCKET);
  await store.putJson(runKeys(runId).targets, read);
  await store.putJson(runKeys(runId).targetList, targets);
  logger.info('targets', {
    ...{ accounts: read.accounts.length, targets: targets.length, notListed: read.notListed.length },
    apiCalls: counter.total,
  });
  return {
    ...run,
    regions: [...new Set(targets.map(({ region }) => region))].sort(),
    targets: targets.length,
    isOfAll: accounts === undefined && regions === undefined,
  };
}

export const handler = createHandler(eventSchema, async (event, context) => {
  if (event.organization !== null) return ofSeveral(event, accountOf(context));
  const account = accountSchema.parse(accountOf(context));
  return listTargets(
    event.request,
    { account, regions: env().REGIONS.split(','), ...defaults() },
    new Date(),
  );
});
