/** A Command document on the lab's guest, run as the SSM agent runs it. */
import { randomUUID } from 'node:crypto';
import type { Document } from '../ssm/hosts.ts';
import { agentScript, type Passing } from './agent-script.ts';
import type { Ended, GuestAgent } from './guest-agent.ts';

export interface DocumentRun {
  document: Document;
  /** All of them, with defaults. */
  parameters: Readonly<Record<string, string>>;
  /** As an agent from 3.3.2746.0 on gives parameters to a script, or as older ones do. */
  passing: Passing;
  /** What else is in the agent's environment. */
  environment?: Readonly<Record<string, string>>;
  /** The command is cancelled: its process group is killed. */
  signal?: AbortSignal;
}

/** Output and errors as they came, not cut as Systems Manager's replies are. Source of the place and of `sh -c`: amazon-ssm-agent, plugin runShellScript. */
export async function runDocument(agent: GuestAgent, run: DocumentRun): Promise<Ended> {
  const { script, environment, timeoutSeconds } = agentScript(
    run.document.content,
    run.parameters,
    run.passing,
  );
  const directory = `/var/lib/amazon/ssm/lab/document/orchestration/${randomUUID()}`;
  const file = `${directory}/_script.sh`;
  await agent.run('/bin/mkdir', ['-p', '-m', '700', directory]);
  await agent.writeFile(file, script);
  await agent.run('/bin/chmod', ['700', file]);
  return agent.run('/bin/sh', ['-c', file], {
    environment: { ...run.environment, ...environment },
    timeoutMs: timeoutSeconds * 1000,
    ...(run.signal === undefined ? {} : { signal: run.signal }),
  });
}
