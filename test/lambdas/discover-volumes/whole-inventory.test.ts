/** Two lists of one Region, each held against the other: what a lost page left out is asked for by id. */
import { AccessDenied } from '../../../core/errors.ts';
import type { AuditNotice } from '../../../core/schemas/audit-notice.ts';
import { type DescribeFrom, wholeInventory } from '../../../lambdas/discover-volumes/whole-inventory.ts';
import { anInstance, aVolume, on } from '../../fixtures/inventory.ts';

const volumes = ['vol-1', 'vol-2', 'vol-3'].map((volumeId, i) =>
  aVolume({ volumeId, attachments: on(i < 2 ? 'i-1' : 'i-2') }),
);
const instances = [anInstance(), anInstance({ instanceId: 'i-2' })];

interface Lost {
  volumeIds?: string[];
  instanceIds?: string[];
  /** Not there any more when they are asked for by id. */
  gone?: string[];
}

/** Lists that leave something out; by id everything that is there is found. */
function listing({ volumeIds = [], instanceIds = [], gone = [] }: Lost) {
  const asked: (readonly string[])[] = [];
  const from: DescribeFrom = {
    describeVolumes: async (ids) => {
      if (ids !== undefined) asked.push(ids);
      return volumes.filter(({ volumeId }) =>
        ids === undefined
          ? !volumeIds.includes(volumeId)
          : ids.includes(volumeId) && !gone.includes(volumeId),
      );
    },
    describeInstances: async (ids) => {
      if (ids !== undefined) asked.push(ids);
      const found = instances.filter(({ instanceId }) =>
        ids === undefined ? !instanceIds.includes(instanceId) : ids.includes(instanceId),
      );
      const attachedVolumeIds = volumes
        .filter(({ attachments }) =>
          found.some(({ instanceId }) => attachments[0]?.instanceId === instanceId),
        )
        .map(({ volumeId }) => volumeId);
      return { instances: found, attachedVolumeIds };
    },
  };
  return { from, asked };
}

async function read(lost: Lost) {
  const { from, asked } = listing(lost);
  const incomplete: AuditNotice[] = [];
  const whole = await wholeInventory(from, incomplete);
  const ids = {
    volumes: whole.volumes.map(({ volumeId }) => volumeId).sort(),
    instances: whole.instances.map(({ instanceId }) => instanceId).sort(),
  };
  return { ...ids, asked, incomplete };
}

const all = { volumes: ['vol-1', 'vol-2', 'vol-3'], instances: ['i-1', 'i-2'], incomplete: [] };

test('lists that agree are asked for once', async () => {
  expect(await read({})).toEqual({ ...all, asked: [] });
});

test('a volume that an instance names and the list does not have is asked for by id', async () => {
  expect(await read({ volumeIds: ['vol-2'] })).toEqual({ ...all, asked: [['vol-2']] });
});

test('so is an instance that a volume is attached to', async () => {
  expect(await read({ instanceIds: ['i-2'] })).toEqual({ ...all, asked: [['i-2']] });
});

test('and what only that instance names', async () => {
  const lost = { instanceIds: ['i-1'], volumeIds: ['vol-2'] };
  expect(await read(lost)).toEqual({ ...all, asked: [['i-1'], ['vol-2']] });
});

test('what is not there when it is asked for is said, and not passed over', async () => {
  const { incomplete, ...ids } = await read({ volumeIds: ['vol-2'], gone: ['vol-2'] });
  expect(ids.volumes).toEqual(['vol-1', 'vol-3']);
  expect(incomplete).toEqual([{ code: 'volumes-unlisted', volumeIds: ['vol-2'], count: 1, reason: null }]);
});

test('where asking by id is refused, that is the reason', async () => {
  const { from } = listing({ volumeIds: ['vol-2'] });
  const incomplete: AuditNotice[] = [];
  const refusing: DescribeFrom = {
    ...from,
    describeVolumes: async (ids) => {
      if (ids === undefined) return from.describeVolumes();
      throw new AccessDenied('ec2:DescribeVolumes in us-east-1 failed: no');
    },
  };
  await wholeInventory(refusing, incomplete);
  expect(incomplete).toEqual([
    {
      code: 'volumes-unlisted',
      ...{ volumeIds: ['vol-2'], count: 1, reason: 'ec2:DescribeVolumes in us-east-1 failed: no' },
    },
  ]);
});
