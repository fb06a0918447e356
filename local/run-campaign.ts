/** Runs campaigns of the deployed benchmark, and looks at what they leave. */
import { setTimeout as after } from 'node:timers/promises';
import { EC2Client, paginateDescribeInstances, paginateDescribeVolumes } from '@aws-sdk/client-ec2';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';
import {
  cellProgress,
  type ExecutionStatus,
  executionArn,
  executionStatus,
  startCampaign,
} from '../adapters/aws/bench/campaign-executions.ts';
import { RunStore } from '../adapters/aws/run-store.ts';
import { campaignKeys } from '../core/benchmark/campaign/campaign.ts';
import { campaignTag } from '../core/benchmark/campaign/cells.ts';
import type { CellStep } from '../core/benchmark/campaign/commands.ts';
import { type CampaignReport, campaignReportSchema } from '../core/schemas/campaign-report.ts';
import { clientSettings, overTls, type StackOutputs } from './deploy.ts';
import type { Services } from './services.ts';

const pollMs = 200;

export interface CampaignRun {
  execution: ExecutionStatus;
  /** Null where it did not come to one. */
  report: CampaignReport | null;
}

/** What EC2 still has of campaigns; what is on its way out is none. */
export interface Left {
  instances: string[];
  volumes: string[];
}

export class Campaigns {
  private readonly stateMachine: string;
  private readonly cleanup: string;
  private readonly stepFunctions: SFNClient;
  private readonly lambda: LambdaClient;
  private readonly ec2: EC2Client;
  readonly store: RunStore;

  constructor(services: Services, { BenchStateMachine, BenchCleanup, RunsBucket }: StackOutputs) {
    if (BenchStateMachine === undefined || BenchCleanup === undefined)
      throw new Error('the stack was deployed without a benchmark');
    const settings = clientSettings(services);
    this.stateMachine = BenchStateMachine;
    this.cleanup = BenchCleanup;
    this.stepFunctions = new SFNClient(settings);
    this.lambda = new LambdaClient(settings);
    this.ec2 = new EC2Client({ ...settings, endpoint: services.urls.ec2 });
    this.store = new RunStore(overTls(new S3Client({ ...settings, forcePathStyle: true })), RunsBucket);
  }

  async start(campaignId: string, request: unknown): Promise<void> {
    if (!(await startCampaign(this.stepFunctions, this.stateMachine, campaignId, request)))
      throw new Error(`there is a campaign ${campaignId} already`);
  }

  /** @param onStep told where each cell is, once for each step. */
  async ended(
    campaignId: string,
    onStep: (cellId: string, step: CellStep) => void = () => {},
  ): Promise<CampaignRun> {
    const said = new Map<string, string>();
    for (;;) {
      const execution = await executionStatus(this.stepFunctions, this.stateMachine, campaignId);
      for (const { cellId, step } of await cellProgress(this.stepFunctions, this.stateMachine, campaignId)) {
        const asText = JSON.stringify(step);
        if (said.get(cellId) !== asText) onStep(cellId, step);
        said.set(cellId, asText);
      }
      if (execution !== null && execution.status !== 'RUNNING')
        return { execution, report: await this.report(campaignId) };
      await after(pollMs);
    }
  }

  async report(campaignId: string): Promise<CampaignReport | null> {
    const { report } = campaignKeys(campaignId);
    if (!(await this.store.list(report)).includes(report)) return null;
    return this.store.getJson(report, campaignReportSchema);
  }

  async abort(campaignId: string): Promise<void> {
    const arn = executionArn(this.stateMachine, campaignId);
    await this.stepFunctions.send(
      new StopExecutionCommand({ executionArn: arn, cause: 'somebody stopped it' }),
    );
  }

  /** Runs the cleanup now. @returns why it failed; null: it did not. */
  async cleanUp(): Promise<string | null> {
    const { FunctionError, Payload } = await this.lambda.send(
      new InvokeCommand({ FunctionName: this.cleanup, Payload: '{}' }),
    );
    return FunctionError === undefined ? null : Buffer.from(Payload ?? []).toString('utf8');
  }

  async left(): Promise<Left> {
    const gone = ['terminated', 'shutting-down', 'deleting', 'deleted'];
    const ofCampaigns = { Filters: [{ Name: 'tag-key', Values: [campaignTag] }] };
    const left: Left = { instances: [], volumes: [] };
    for await (const { Reservations } of paginateDescribeInstances({ client: this.ec2 }, ofCampaigns))
      for (const { InstanceId = '', State } of Reservations?.flatMap(({ Instances }) => Instances ?? []) ??
        [])
        if (!gone.includes(State?.Name ?? '')) left.instances.push(InstanceId);
    for await (const { Volumes } of paginateDescribeVolumes({ client: this.ec2 }, ofCampaigns))
      for (const { VolumeId = '', State = '' } of Volumes ?? [])
        if (!gone.includes(State)) left.volumes.push(VolumeId);
    return left;
  }

  close(): void {
    for (const client of [this.stepFunctions, this.lambda, this.ec2]) client.destroy();
  }
}
