import type { Alarm } from '../../../core/schemas/alarm.ts';

/** As CloudWatch publishes one, as far as it is shown. */
export const anAlarm = (values: Partial<Alarm> = {}): Alarm => ({
  ...{ AlarmName: 'Stripewise-AuditFailed', AlarmDescription: 'Impact: nothing was notified.' },
  ...{ NewStateValue: 'ALARM', NewStateReason: 'Threshold Crossed.', Region: 'US East (N. Virginia)' },
  ...values,
});
