/**
 * What may be asked, as far as it is supported. Limits and patterns: SSM API reference (DescribeInstanceInformation,
 * SendCommand, ListCommands, ListCommandInvocations, GetCommandInvocation, CancelCommand) in the service model 2014-11-06 of botocore
 * 1.43.106, read 2026-11-22.
 */
import { z } from 'zod';
import { ServiceError } from '../service-error.ts';
import { notSupported } from './errors.ts';

const instanceId = z.string().regex(/^i-(\w{8}|\w{17})$|^mi-\w{17}$/);
const commandId = z.string().length(36);
const nextToken = z.string().optional();

export const describeInstancesInput = z.strictObject({
  Filters: z
    .array(z.strictObject({ Key: z.string().min(1), Values: z.array(z.string().min(1)).min(1).max(100) }))
    .default([]),
  MaxResults: z.int().min(5).max(50).default(10),
  NextToken: nextToken,
});
export type DescribeInstances = z.infer<typeof describeInstancesInput>;

export const sendCommandInput = z.strictObject({
  // Without Targets, which are not supported, there must be one.
  InstanceIds: z.array(instanceId).min(1).max(50),
  DocumentName: z.string().regex(/^[a-zA-Z0-9_\-.:/]{3,128}$/),
  DocumentVersion: z
    .string()
    .regex(/^([$]LATEST|[$]DEFAULT|[1-9][0-9]*)$/)
    .default('$DEFAULT'),
  /** AWS's default: 3,600 s. */
  TimeoutSeconds: z.int().min(30).max(2_592_000).default(3_600),
  Comment: z.string().max(100).default(''),
  Parameters: z.record(z.string(), z.array(z.string())).default({}),
  MaxConcurrency: z
    .string()
    .regex(/^([1-9][0-9]*|[1-9][0-9]%|[1-9]%|100%)$/)
    .max(7)
    .default('50'),
  MaxErrors: z
    .string()
    .regex(/^([1-9][0-9]*|0|[1-9][0-9]%|[0-9]%|100%)$/)
    .max(7)
    .default('0'),
});
export type SendCommand = z.infer<typeof sendCommandInput>;

export const listCommandsInput = z.strictObject({
  CommandId: commandId.optional(),
  InstanceId: instanceId.optional(),
  MaxResults: z.int().min(1).max(50).default(50),
  NextToken: nextToken,
});
export type ListCommands = z.infer<typeof listCommandsInput>;

export const listInvocationsInput = z.strictObject({
  // AWS can list those of all commands too.
  CommandId: commandId,
  Details: z.boolean().default(false),
  MaxResults: z.int().min(1).max(50).default(50),
  NextToken: nextToken,
});
export type ListInvocations = z.infer<typeof listInvocationsInput>;

export const getInvocationInput = z.strictObject({ CommandId: commandId, InstanceId: instanceId });
export const cancelCommandInput = z.strictObject({ CommandId: commandId });

/** @throws ServiceError where it is against a limit, or where it has what only AWS would know. */
export function parseInput<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const unknown = parsed.error.issues.find(({ code }) => code === 'unrecognized_keys');
  if (unknown?.code === 'unrecognized_keys') throw notSupported(`${unknown.keys.join(', ')} in this request`);
  throw new ServiceError('ValidationException', z.prettifyError(parsed.error));
}
