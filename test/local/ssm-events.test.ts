/** What the local Systems Manager tells EventBridge when a command ends. */
import { setTimeout as after } from 'node:timers/promises';
import { CancelCommandCommand, SendCommandCommand } from '@aws-sdk/client-ssm';
import type { ServiceEvent } from '../../local/ssm/events.ts';
import { account, id, localSsm } from './ssm-fixture.ts';

let events: (ServiceEvent & { region: string })[] = [];
const ssm = localSsm(() => ({
  sendEvent: async (region, event) => {
    events.push({ region, ...event });
  },
}));
beforeEach(async () => {
  events = [];
  await ssm.putHosts({
    [id(1)]: {},
    [id(2)]: { status: 'Failed' },
    [id(3)]: { status: 'TimedOut' },
    [id(4)]: { status: 'InProgress' },
  });
});

async function sent(...InstanceIds: string[]): Promise<string> {
  const sending = new SendCommandCommand({ DocumentName: 'describe', InstanceIds, MaxErrors: '100%' });
  return (await ssm.client.send(sending)).Command?.CommandId ?? '';
}
/** It looks every 20 ms. */
const notified = () => after(200);
const kinds = () =>
  events.map(({ detailType, detail }) => [detailType.includes('Invocation'), detail['status']]);

test('the host and then the command, when they have ended and not before', async () => {
  const CommandId = await sent(id(1));
  await notified();
  expect(events).toEqual([]);
  ssm.nowMs += 1_000;
  await notified();
  const common = {
    'command-id': CommandId,
    'document-name': 'describe',
    'requested-date-time': '2026-11-22T00:00:00.000Z',
    status: 'Success',
  };
  const about = {
    region: 'eu-central-1',
    resources: [`arn:aws:ec2:eu-central-1:${account}:instance/${id(1)}`],
  };
  expect(events).toEqual([
    {
      ...{ ...about, detailType: 'EC2 Command Invocation Status-change Notification' },
      detail: { ...common, 'instance-id': id(1) },
    },
    {
      ...{ ...about, detailType: 'EC2 Command Status-change Notification' },
      // 3,600 s to be delivered and 3,600 s for its step.
      detail: { ...common, 'expire-after': '2026-11-22T02:00:00.000Z', parameters: {} },
    },
  ]);
});

test('each end has its status: failed, timed out, cancelled', async () => {
  const CommandId = await sent(id(2), id(3), id(4));
  ssm.nowMs += 1_000;
  await notified();
  expect(kinds().toSorted()).toEqual([
    [true, 'Failed'],
    [true, 'TimedOut'],
  ]);
  await ssm.client.send(new CancelCommandCommand({ CommandId }));
  await notified();
  expect(kinds().slice(2)).toEqual([
    [true, 'Cancelled'],
    [false, 'Failed'],
  ]);
});

test('events are lost on purpose, so many or all of them', async () => {
  await ssm.steer('POST', 'lose-events', { times: 1 });
  await sent(id(1));
  ssm.nowMs += 1_000;
  await notified();
  expect(kinds()).toEqual([[false, 'Success']]);
  await ssm.steer('POST', 'lose-events', { times: -1 });
  await sent(id(1));
  ssm.nowMs += 1_000;
  await notified();
  expect(events).toHaveLength(1);
  await ssm.steer('DELETE', 'lose-events');
  await sent(id(1));
  ssm.nowMs += 1_000;
  await notified();
  expect(events).toHaveLength(3);
  expect(await ssm.steer('POST', 'lose-events', { times: 'all' })).toEqual({ error: expect.any(String) });
});
