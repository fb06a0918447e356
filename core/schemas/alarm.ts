/** A CloudWatch alarm of the service itself, as CloudWatch publishes it to SNS: as much of it as is shown. */
import { z } from 'zod';

export const alarmSchema = z.object({
  AlarmName: z.string(),
  AlarmArn: z.string().optional(),
  StateChangeTime: z.string().optional(),
  AlarmDescription: z.string().nullish(),
  NewStateValue: z.string(),
  OldStateValue: z.string().optional(),
  NewStateReason: z.string(),
  Region: z.string().optional(),
});
export type Alarm = z.infer<typeof alarmSchema>;

export const isEnd = ({ NewStateValue }: Pick<Alarm, 'NewStateValue'>): boolean => NewStateValue === 'OK';

/** OK for the first time, such as in a stack that is new: nothing was in alarm before. */
export const isFirstOk = (alarm: Pick<Alarm, 'NewStateValue' | 'OldStateValue'>): boolean =>
  isEnd(alarm) && alarm.OldStateValue !== undefined && alarm.OldStateValue !== 'ALARM';
