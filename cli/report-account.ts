/** Reports of the deployed service, in the bucket of its stack. */
import { S3Client } from '@aws-sdk/client-s3';
import { z } from 'zod';
import { RunStore } from '../adapters/aws/run-store.ts';
import { ownResources } from '../adapters/aws/session.ts';
import { stackOutputs } from '../adapters/aws/stack-outputs.ts';
import { latestRunKey, runKeys, runManifestKey } from '../core/audit/run-keys.ts';
import { campaignKeys } from '../core/benchmark/campaign/campaign.ts';
import { BadInput, Unreadable } from '../core/errors.ts';
import { type RunManifest, runManifestSchema } from '../core/report/run-manifest.ts';
import { sanitize } from '../core/sanitize.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { readRun } from '../lambdas/shared/read-run.ts';
import { inStack, type StackOptions } from './stack.ts';

export interface WhichReport {
  kind: 'run' | 'campaign';
  id: string;
}

const maxIdCharacters = 100;
const nameOf = ({ kind, id }: WhichReport): string => `${kind} ${sanitize(id, maxIdCharacters)}`;

export class ReportAccount {
  private readonly store: RunStore;
  /** Where it was looked, for a person. */
  private readonly place: string;

  private constructor(store: RunStore, place: string) {
    this.store = store;
    this.place = place;
  }

  /** @throws BadInput where there is no stack to ask. */
  static find(options: StackOptions): Promise<ReportAccount> {
    return inStack(options, 'report', async (session, stack) => {
      const bucket = (await stackOutputs(session, stack)).get('RunsBucket');
      if (bucket === undefined)
        throw new BadInput(
          `the stack ${stack} in ${session.region} keeps no runs: give the --stack that stripewise was deployed as`,
        );
      const store = new RunStore(new S3Client({ ...ownResources, ...session }), bucket);
      return new ReportAccount(store, `the stack ${stack} in ${session.region}`);
    });
  }

  /** Those that have a report, the newest first. */
  async runs(): Promise<RunManifest> {
    if (!(await this.store.has(runManifestKey))) return { version: 1, runs: [] };
    return this.store.getJson(runManifestKey, runManifestSchema);
  }

  /** The newest run that has a report. @throws BadInput where none has. */
  async newest(): Promise<WhichReport> {
    const [run] = (await this.runs()).runs;
    if (run !== undefined) return { kind: 'run', id: run.runId };
    if (!(await this.store.has(latestRunKey)))
      throw new BadInput(
        `${this.place} has no run yet: wait for the first, or start one (docs/operate/deploy.md)`,
      );
    const { runId } = await this.store.getJson(latestRunKey, z.object({ runId: z.string() }));
    throw new BadInput(
      `no run of ${this.place} has a report yet: the newest, ${sanitize(runId, maxIdCharacters)}, was made before reports were; wait for the next`,
    );
  }

  /** What a run found. @throws BadInput where nothing of it is kept (any more), or another version wrote it. */
  async result(runId: string): Promise<AuditResult> {
    const name = `${nameOf({ kind: 'run', id: runId })} of ${this.place}`;
    if (!(await this.store.has(runKeys(runId).summary)))
      throw new BadInput(
        `${name} is not kept: there is no such run and no such file, or its time is over; \`report list\` names what there is`,
      );
    try {
      return await readRun(this.store, runId);
    } catch (error) {
      if (!(error instanceof Unreadable && error.cause instanceof z.ZodError)) throw error;
      throw new BadInput(
        `${name} was written by another version of stripewise, and this one does not read its findings: give a later run`,
        { cause: error },
      );
    }
  }

  /** @throws BadInput where it has none (any more). */
  async page(which: WhichReport): Promise<string> {
    const { kind, id } = which;
    const key = kind === 'run' ? runKeys(id).report : campaignKeys(id).page;
    if (await this.store.has(key)) return this.store.getText(key);
    const list = kind === 'run' ? 'report list' : 'bench status';
    throw new BadInput(
      `${nameOf(which)} of ${this.place} has no report: there is no such ${kind}, its time is over, or it was made before reports were; \`${list}\` names what there is`,
    );
  }
}
