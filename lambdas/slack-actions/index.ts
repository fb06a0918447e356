import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { z } from 'zod';
import { readChannelSecrets } from '../../adapters/aws/channel-secrets.ts';
import { ChannelState } from '../../adapters/aws/channel-state.ts';
import { FindingRecords, recordsClient } from '../../adapters/aws/finding-records.ts';
import { callFunction } from '../../adapters/aws/invoke-function.ts';
import { ownResources } from '../../adapters/aws/session.ts';
import { respond } from '../../adapters/slack/respond.ts';
import { lifecycleRulesOf } from '../../core/config/variables.ts';
import { Unreadable } from '../../core/errors.ts';
import { changeRecords } from '../../core/lifecycle/change-records.ts';
import type { FindingRecord } from '../../core/lifecycle/finding-record.ts';
import { acknowledgedBy, mutedUntil } from '../../core/lifecycle/lifecycle.ts';
import { msPerSecond } from '../../core/units.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { type ActionResult, type ActWith, actOnButton } from './act-on-button.ts';
import { changesByButton } from './changes-by-button.ts';
import { envSchema } from './env.ts';

const env = environmentOf(envSchema);

/** What a Function URL hands to a function, as far as we read it. */
const eventSchema = z.object({
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
  headers: z.record(z.string(), z.string()).default({}),
  requestContext: z.object({ http: z.object({ method: z.string() }) }),
});

const nowEpochSeconds = (): number => Math.floor(Date.now() / msPerSecond);

function wire(): ActWith {
  const { CHANNEL_SECRETS_ARN, POSTED_TABLE, FINDINGS_TABLE, DECIDE_CHANGE_FUNCTION_ARN: decideArn } = env();
  const dynamo = new DynamoDBClient(ownResources);
  const memory = new ChannelState(DynamoDBDocumentClient.from(dynamo), POSTED_TABLE);
  const records = new FindingRecords(recordsClient(dynamo), FINDINGS_TABLE, (findingId, reason) => {
    // Who pressed must not be told that it is not remembered.
    throw new Unreadable(`${findingId}: ${reason}`);
  });
  const rules = lifecycleRulesOf(env());
  const secrets = async () => (await readChannelSecrets(CHANNEL_SECRETS_ARN)).usable();
  const change = async (
    findingId: string,
    how: (record: FindingRecord) => FindingRecord,
  ): Promise<ActionResult> => {
    let isChanged = false;
    const changing = (_: string, before: FindingRecord | null) => {
      const after = before && how(before);
      isChanged = after !== before;
      return after;
    };
    const after = await changeRecords([findingId], changing, records);
    if (!after.has(findingId)) return 'gone';
    return isChanged ? 'done' : 'resolved';
  };
  return {
    readApps: async () =>
      (await secrets()).flatMap(({ signingSecret, teamIds = [] }) =>
        signingSecret === undefined ? [] : { signingSecret, teamIds },
      ),
    isFirst: (id, until) => memory.isFirst(id, until),
    mute: (findingId, until, by) =>
      change(findingId, (record) =>
        mutedUntil(record, until, { by, nowEpochSeconds: nowEpochSeconds() }, rules),
      ),
    acknowledge: (findingId, by) =>
      change(findingId, (record) =>
        acknowledgedBy(record, { by, nowEpochSeconds: nowEpochSeconds() }, rules),
      ),
    changes:
      decideArn === undefined
        ? null
        : changesByButton((request) => callFunction(new LambdaClient(ownResources), decideArn, request)),
    say: async (responseUrl, threadTs, text) => {
      // A server that stands for Slack in tests answers at its own address.
      const origins = (await secrets()).flatMap(({ apiUrl }) =>
        apiUrl === undefined ? [] : [new URL(apiUrl).origin],
      );
      await respond(responseUrl, { text, threadTs }, origins);
    },
    onTrouble: (reason, error) => logger.warn(reason, error === undefined ? {} : { error }),
  };
}

let wired: ActWith | undefined;

export const handler = createHandler(
  eventSchema,
  async ({ body, isBase64Encoded, headers, requestContext }) => {
    wired ??= wire();
    const request = {
      method: requestContext.http.method,
      body: isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body,
      timestamp: headers['x-slack-request-timestamp'],
      signature: headers['x-slack-signature'],
    };
    return actOnButton(request, nowEpochSeconds(), wired);
  },
);
