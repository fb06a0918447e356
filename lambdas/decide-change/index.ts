import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { z } from 'zod';
import { answerTask } from '../../adapters/aws/bench/task-answers.ts';
import { readKillSwitch, startChange, writeKillSwitch } from '../../adapters/aws/change-workflow.ts';
import { FindingRecords, recordsClient } from '../../adapters/aws/finding-records.ts';
import { volumeNow } from '../../adapters/aws/modify-volume.ts';
import { ownResources } from '../../adapters/aws/session.ts';
import { type DecidedBy, personsOf, sessionOf } from '../../core/changes/decisions.ts';
import { rulesOf } from '../../core/changes/rules.ts';
import { Unreadable } from '../../core/errors.ts';
import { jsonOrNull } from '../../core/json.ts';
import {
  type ChangesAnswer,
  type ChangesRequest,
  changesRequestSchema,
} from '../../core/schemas/changes-answers.ts';
import type { VolumeChange } from '../../core/schemas/volume-change.ts';
import { isoFromEpochSeconds, msPerSecond } from '../../core/units.ts';
import { clientOf, instanceTags, ledgerOf, ownClients, sessionOfChange } from '../shared/change-clients.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf, logger, skippedRecord } from '../shared/powertools.ts';
import { accountOf } from '../shared/reading-clients.ts';
import { type Decision, decideChange } from './decide-change.ts';
import { envSchema } from './env.ts';
import { proposeChange } from './propose-change.ts';

const env = environmentOf(envSchema);

/** A call of its address: AWS says who signed it. */
const signedSchema = z.object({
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
  requestContext: z.object({ authorizer: z.object({ iam: z.object({ userArn: z.string() }) }) }),
});
/** A button in Slack: the function that heard it says who pressed it. */
const pressedSchema = z.object({ by: z.string().regex(/^slack:[UW][A-Z0-9]{2,20}$/) });

const eventSchema = z.union([signedSchema, z.looseObject(pressedSchema.shape)]);

type By = Pick<DecidedBy, 'by' | 'session'>;

const nowSeconds = (): number => Math.floor(Date.now() / msPerSecond);

/** When, and eight characters that nobody guesses: they sort by time. */
const newId = (): string =>
  `${isoFromEpochSeconds(nowSeconds()).slice(0, 10)}-${randomBytes(4).toString('hex')}`;

async function resume(id: string): Promise<void> {
  const token = await ledgerOf(env().CHANGES_TABLE).taskToken(id);
  if (token !== null) await answerTask(ownClients().stepFunctions, token, { succeeded: true });
}

function propose(findingId: string, by: By, own: string) {
  const { CHANGES_TABLE, CHANGES, FINDINGS_TABLE, STATE_MACHINE_ARN, MEMBER_ROLE } = env();
  const records = new FindingRecords(
    recordsClient(new DynamoDBClient(ownResources)),
    FINDINGS_TABLE,
    skippedRecord,
  );
  return proposeChange(findingId, by.by, {
    finding: async (id) => {
      const record = (await records.read([id])).get(id);
      // Of what is resolved there is nothing to change.
      return record === undefined || record.level === null ? null : record.finding;
    },
    volume: async (place) => {
      const client = clientOf(await sessionOfChange(place, MEMBER_ROLE ?? null, own));
      const now = await volumeNow(client, place.volumeId);
      return now && { ...now, instanceTags: await instanceTags(client, place, now.instanceIds) };
    },
    ledger: ledgerOf(CHANGES_TABLE),
    start: (change) => startChange(ownClients().stepFunctions, STATE_MACHINE_ARN, change),
    ...{ newId, nowSeconds },
    automatic: CHANGES.automatic,
    rules: rulesOf(CHANGES),
    approvalsNeeded: CHANGES.approvals,
  });
}

/** Who reads of a change learns how many must approve it. */
const withApprovals = <Other extends object>(said: { change: VolumeChange } | Other) =>
  'change' in said ? { ...said, approvalsNeeded: env().CHANGES.approvals } : said;

async function answer(request: ChangesRequest, by: By, own: string): Promise<ChangesAnswer> {
  const { CHANGES_TABLE, CHANGES, KILL_SWITCH } = env();
  const ledger = ledgerOf(CHANGES_TABLE);
  const approvers = personsOf(CHANGES.approvers);
  const rules = { approvers, approvalsNeeded: CHANGES.approvals };
  const use = { ledger, rules, nowSeconds, resume: (change: VolumeChange) => resume(change.id) };
  const decide = async (decision: Decision, id: string) =>
    withApprovals(await decideChange(id, decision, by, use));
  const { ssm } = ownClients();
  switch (request.do) {
    case 'list':
      return {
        changes: await ledger.all(),
        approvalsNeeded: CHANGES.approvals,
        nowSeconds: nowSeconds(),
        killSwitch: await readKillSwitch(ssm, KILL_SWITCH),
      };
    case 'show': {
      const change = await ledger.read(request.id);
      return withApprovals(change === null ? { refused: 'no-change' as const } : { change });
    }
    case 'propose':
      return withApprovals(await propose(request.findingId, by, own));
    case 'approve':
      return decide({ code: 'approve', fingerprint: request.fingerprint }, request.id);
    case 'reject':
      return decide({ code: 'reject' }, request.id);
    case 'undo':
      return decide({ code: 'undo' }, request.id);
    case 'stop':
    case 'go': {
      // Whoever may call this may stop it; that it goes on is an approver's to say.
      if (request.do === 'go' && !approvers.includes(by.by)) return { refused: 'not-an-approver' };
      await writeKillSwitch(ssm, KILL_SWITCH, request.do);
      return { killSwitch: request.do };
    }
  }
}

const http = (statusCode: number, body: unknown) => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});

async function answerSigned(
  { body, isBase64Encoded, requestContext }: z.infer<typeof signedSchema>,
  own: string,
) {
  const { userArn } = requestContext.authorizer.iam;
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
  const request = changesRequestSchema.safeParse(jsonOrNull(text));
  if (!request.success) {
    const [issue] = request.error.issues;
    return http(400, { error: `the request: ${issue?.path.join('.') || 'as a whole'}: ${issue?.message}` });
  }
  const by = sessionOf(userArn) ?? { by: userArn, session: null };
  try {
    const said = await answer(request.data, by, own);
    logger.info('asked', { ...request.data, ...by, refused: 'refused' in said ? said.refused : null });
    return http(200, said);
  } catch (error) {
    logger.error('failed', error as Error);
    return http(error instanceof Unreadable ? 500 : 503, { error: (error as Error).message });
  }
}

export const handler = createHandler(eventSchema, async (event, context) => {
  const own = accountOf(context);
  if ('requestContext' in event) return answerSigned(signedSchema.parse(event), own);
  const { by, ...rest } = event as { by: string };
  return answer(changesRequestSchema.parse(rest), { by, session: null }, own);
});
