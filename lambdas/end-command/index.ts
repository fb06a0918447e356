import { z } from 'zod';
import { commandEnd } from '../../adapters/aws/bench/host-commands.ts';
import { answerTask } from '../../adapters/aws/bench/task-answers.ts';
import { campaignClients, taskTokens } from '../shared/campaign-clients.ts';
import { createHandler } from '../shared/create-handler.ts';
import { environmentOf, logger } from '../shared/powertools.ts';
import { endCommand } from './end-command.ts';
import { envSchema } from './env.ts';

const env = environmentOf(envSchema);

/** Source: Systems Manager User Guide, "EC2 Command Status-change Notification", read 2026-11-22. */
const eventSchema = z.object({ detail: z.object({ 'command-id': z.string().min(1) }) });

export const handler = createHandler(eventSchema, async ({ detail }) => {
  const commandId = detail['command-id'];
  const { region, ssm, stepFunctions } = campaignClients();
  const waiting = taskTokens(env().WAITING_TABLE);
  const outcome = await endCommand(commandId, {
    whoWaits: (id) => waiting.get(id),
    commandEnd: (id, instanceId) => commandEnd(ssm, region, id, instanceId),
    answer: (taskToken, end) => answerTask(stepFunctions, taskToken, end),
    forget: (id) => waiting.remove(id),
  });
  if (outcome !== 'nobody-waits') logger.info('command ended', { commandId, outcome });
  return { outcome };
});
