/** Campaigns of the deployed benchmark: where it is, how they are started and looked at. */
import { S3Client } from '@aws-sdk/client-s3';
import { z } from 'zod';
import {
  cellProgress,
  executionStatus,
  listCampaigns,
  startCampaign,
} from '../adapters/aws/bench/campaign-executions.ts';
import { type Deployment, findDeployment } from '../adapters/aws/bench/deployment.ts';
import { CallCounter } from '../adapters/aws/call-counter.ts';
import { RunStore } from '../adapters/aws/run-store.ts';
import { ownResources, type Session, stepFunctionsClient } from '../adapters/aws/session.ts';
import { latestRunKey } from '../core/audit/run-keys.ts';
import { type Campaign, campaignKeys, campaignSchema } from '../core/benchmark/campaign/campaign.ts';
import type { BenchRequest } from '../core/benchmark/campaign/request.ts';
import { BadInput } from '../core/errors.ts';
import { exceededChecksSchema } from '../core/report-card/exceeded-checks.ts';
import { runFioSchema } from '../core/report-card/fio-result.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { type CampaignReport, campaignReportSchema } from '../core/schemas/campaign-report.ts';
import { gradeCampaign } from '../lambdas/grade-campaign/grade-campaign.ts';
import { readRun } from '../lambdas/shared/read-run.ts';
import { inStack, type StackOptions } from './stack.ts';

export class BenchAccount {
  private readonly session: Session;
  private readonly deployment: Deployment;
  private readonly store: RunStore;

  private constructor(session: Session, deployment: Deployment) {
    this.session = session;
    this.deployment = deployment;
    this.store = new RunStore(new S3Client({ ...ownResources, ...session }), deployment.bucket);
  }

  /** @throws BadInput where there is no benchmark to talk to. */
  static find(options: StackOptions): Promise<BenchAccount> {
    return inStack(
      options,
      'bench',
      async (session, stack) => new BenchAccount(session, await findDeployment(session, stack)),
    );
  }

  get region(): string {
    return this.session.region;
  }
  private get stepFunctions() {
    return stepFunctionsClient(this.session, new CallCounter());
  }

  /** @throws BadInput where there is one of that name. */
  async start(campaignId: string, request: BenchRequest): Promise<void> {
    const { stateMachineArn } = this.deployment;
    if (!(await startCampaign(this.stepFunctions, stateMachineArn, campaignId, request)))
      throw new BadInput(`there is a campaign ${campaignId} already: give another --name`);
  }

  list(most: number) {
    return listCampaigns(this.stepFunctions, this.deployment.stateMachineArn, most);
  }

  progress(campaignId: string) {
    return cellProgress(this.stepFunctions, this.deployment.stateMachineArn, campaignId);
  }

  /** @throws BadInput where there is none of that name. */
  async status(campaignId: string) {
    const status = await executionStatus(this.stepFunctions, this.deployment.stateMachineArn, campaignId);
    if (status === null)
      throw new BadInput(
        `there is no campaign ${campaignId} in ${this.region} (of the last 90 days): \`bench status\` lists them`,
      );
    return status;
  }

  /** The newest run of the audit that was collected. @throws BadInput where there is none yet. */
  async latestRun(): Promise<AuditResult> {
    if (!(await this.store.has(latestRunKey)))
      throw new BadInput(
        `the stack in ${this.region} has no run of its audit yet: wait for the first, or plan from files (--audit, --volumes, --metrics)`,
      );
    const { runId } = await this.store.getJson(latestRunKey, z.object({ runId: z.string() }));
    return readRun(this.store, runId);
  }

  /** As the campaign made it; where it did not come to that, from what its hosts wrote. Null: it was never let through. */
  async report(campaignId: string): Promise<CampaignReport | null> {
    const keys = campaignKeys(campaignId);
    if (await this.store.has(keys.report)) return this.store.getJson(keys.report, campaignReportSchema);
    if (!(await this.store.has(keys.campaign))) return null;
    const campaign: Campaign = await this.store.getJson(keys.campaign, campaignSchema);
    return gradeCampaign(campaign, [], {
      list: (prefix) => this.store.list(prefix),
      readResult: (key) => this.store.getJson(key, runFioSchema),
      readChecks: (cellId) => this.store.getJson(keys.checks(cellId), exceededChecksSchema),
      now: () => new Date(),
    });
  }
}
