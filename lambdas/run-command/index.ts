import { z } from 'zod';
import { pingStatusOf } from '../../adapters/aws/bench/find-host.ts';
import { commandEnd, findCommand, sendCommand } from '../../adapters/aws/bench/host-commands.ts';
import { answerTask } from '../../adapters/aws/bench/task-answers.ts';
import { campaignIdSchema, cellIdSchema } from '../../core/benchmark/campaign/campaign.ts';
import { commandStepSchema, documents } from '../../core/benchmark/campaign/commands.ts';
import { epochSecondsOf, secondsPerDay } from '../../core/units.ts';
import { campaignClients, taskTokens } from '../shared/campaign-clients.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { readHost, runStore } from '../shared/read-run.ts';
import { envSchema } from './env.ts';
import { runCommand } from './run-command.ts';

const env = environmentOf(envSchema);

const eventSchema = z.object({
  campaignId: campaignIdSchema,
  cellId: cellIdSchema,
  commandsDone: z.int().min(0),
  command: z.object({
    step: commandStepSchema,
    document: z.enum(documents),
    parameters: z.record(z.string(), z.string()),
  }),
  taskToken: z.string().min(1),
});
const documentsSchema = z.record(z.enum(documents), z.string());

export const handler = createHandler(eventSchema, async ({ taskToken, ...event }) => {
  const { BUCKET, WAITING_TABLE, DOCUMENTS } = env();
  const { region, ssm, stepFunctions } = campaignClients();
  const { instanceId, expiresAt } = await readHost(runStore(BUCKET), event.campaignId, event.cellId);
  const documentNames = documentsSchema.parse(JSON.parse(DOCUMENTS));
  const waiting = taskTokens(WAITING_TABLE);
  const ran = await runCommand(
    { ...event, hostExpiresAt: expiresAt },
    {
      findCommand: (comment) => findCommand(ssm, { region, instanceId, comment }),
      sendCommand: ({ document, parameters }, comment) =>
        sendCommand(ssm, { region, instanceId, documentName: documentNames[document], parameters, comment }),
      rememberWaiting: (commandId) =>
        waiting.put({ commandId, instanceId, taskToken }, epochSecondsOf(expiresAt) + secondsPerDay),
      commandEnd: (commandId) => commandEnd(ssm, region, commandId, instanceId),
      pingStatus: () => pingStatusOf(ssm, region, instanceId),
      answer: (end) => answerTask(stepFunctions, taskToken, end),
      now: () => new Date(),
    },
  );
  const { campaignId, cellId, command } = event;
  logger.info('command', { campaignId, cellId, step: command.step, ...ran });
  return ran;
});
