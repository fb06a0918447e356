/** A CloudWatch alarm of the service itself, as CloudWatch publishes it to SNS: as much of it as is shown. */
import { z } from 'zod';

export const alarmSchema = z.object({
  AlarmName: z.string(),
  AlarmArn: z.string().optional(),
  StateChangeTime: z.string().optional(),
  AlarmDescription: z.string().nullish(),
  NewStateValue: z.string(),
  NewStateReason: z.string(),
  Region: z.string().optional(),
});
export type Alarm = z.infer<typeof alarmSchema>;
