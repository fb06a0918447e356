/** A custom resource: what CloudFormation hands to it, as far as we read it, and what it is answered. */
import { z } from 'zod';

export const resourceRequestSchema = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  /** Signed: whoever has it can answer. It is in no error. */
  ResponseURL: z.url(),
  StackId: z.string().min(1),
  RequestId: z.string().min(1),
  LogicalResourceId: z.string().min(1),
  /** Missing where the resource is being created. */
  PhysicalResourceId: z.string().min(1).optional(),
});
export type ResourceRequest = z.infer<typeof resourceRequestSchema>;

/** What CloudFormation is reported: never an error that it would have to wait an hour to notice. */
export interface Outcome {
  status: 'SUCCESS' | 'FAILED';
  /** One line. */
  reason: string;
}
