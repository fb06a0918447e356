/** Runs the deployed audit and brings its result. */
import { setTimeout as after } from 'node:timers/promises';
import { S3Client } from '@aws-sdk/client-s3';
import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { RunStore } from '../adapters/aws/run-store.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { readRun } from '../lambdas/shared/read-run.ts';
import { clientSettings, overTls, type StackOutputs } from './deploy.ts';
import type { Services } from './services.ts';

export interface DeployedRun {
  executionArn: string;
  status: string;
  /** What the workflow says at its end; null where it failed. */
  output: unknown;
  /** Null where it failed before it collected anything. */
  result: AuditResult | null;
}

const pollMs = 200;

/** @param onState told the name of each state that is entered; without it nobody reads the history, which is long. */
export async function runDeployedAudit(
  services: Services,
  outputs: StackOutputs,
  input: object,
  onState?: (name: string) => void,
): Promise<DeployedRun> {
  const settings = clientSettings(services);
  const workflows = new SFNClient(settings);
  const { executionArn = '' } = await workflows.send(
    new StartExecutionCommand({
      stateMachineArn: outputs.AuditStateMachine,
      input: JSON.stringify(input),
    }),
  );
  const runId = executionArn.split(':').at(-1) ?? '';
  let seen = 0;
  for (;;) {
    if (onState !== undefined) {
      const { events = [] } = await workflows.send(
        new GetExecutionHistoryCommand({ executionArn, maxResults: 1_000 }),
      );
      const entered = events.flatMap(({ stateEnteredEventDetails }) => stateEnteredEventDetails?.name ?? []);
      for (const name of entered.slice(seen)) onState(name);
      seen = entered.length;
    }
    const { status, output, error, cause } = await workflows.send(
      new DescribeExecutionCommand({ executionArn }),
    );
    if (status === 'RUNNING') {
      await after(pollMs);
      continue;
    }
    workflows.destroy();
    if (status !== 'SUCCEEDED')
      return { executionArn, status: `${status}: ${error}: ${cause}`, output: null, result: null };
    const store = new RunStore(
      overTls(new S3Client({ ...settings, forcePathStyle: true })),
      outputs.RunsBucket,
    );
    return {
      executionArn,
      status,
      output: JSON.parse(output ?? 'null'),
      result: await readRun(store, runId),
    };
  }
}
