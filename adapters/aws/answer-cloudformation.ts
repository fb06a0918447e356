/** Answers a request of CloudFormation to a custom resource. */
import { setTimeout as after } from 'node:timers/promises';
import { Unavailable } from '../../core/errors.ts';
import type { Outcome, ResourceRequest } from '../../core/resource-request.ts';

const attempts = 4;
const firstWaitMs = 500;
const timeoutMs = 4_000;
/** The whole answer may have 4,096 bytes. Source: "Custom resource response objects", CloudFormation user guide. */
const maxCharacters = 800;

/**
 * The resource is called the same in all its life: another name in an answer would have CloudFormation delete the resource
 * of the former name.
 * @throws Unavailable where the answer could not be delivered.
 */
export async function answerCloudFormation(
  {
    ResponseURL,
    StackId,
    RequestId,
    LogicalResourceId,
    PhysicalResourceId,
  }: Omit<ResourceRequest, 'RequestType'>,
  { status, reason }: Outcome,
): Promise<void> {
  const answer = {
    Status: status,
    Reason: reason.slice(0, maxCharacters),
    PhysicalResourceId: PhysicalResourceId ?? LogicalResourceId,
    StackId,
    RequestId,
    LogicalResourceId,
  };
  // As bytes: of a text fetch would tell the type, and the address was signed without one.
  const body = Buffer.from(JSON.stringify(answer));
  let trouble = '';
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (attempt > 0) await after(firstWaitMs * 2 ** (attempt - 1));
    try {
      const reply = await fetch(ResponseURL, {
        method: 'PUT',
        body,
        signal: AbortSignal.timeout(timeoutMs),
      });
      await reply.arrayBuffer();
      if (reply.ok) return;
      trouble = `it answered ${reply.status}`;
    } catch (error) {
      trouble = (error as Error).name;
    }
  }
  throw new Unavailable(`CloudFormation could not be sent ${status} in ${attempts} attempts: ${trouble}`);
}
