/** Which volumes of an instance form one stripe, and how that is known. */
import type { Volume } from '../../../core/inventory.ts';
import type { HostArray, HostEvidence } from '../../../core/stripes/host-evidence.ts';
import { stripesOf } from '../../../core/stripes/stripes.ts';
import { aVolume, on } from '../../fixtures/inventory.ts';
import { dealtOut, loadsIn, twoDays } from './loads.ts';
import { inShort } from './stripes.ts';

const volumesOf = (count: number, more: Partial<Volume> = {}): Volume[] =>
  Array.from({ length: count }, (_, i) => aVolume({ volumeId: `vol-${i + 1}`, ...more }));

const array = (memberVolumeIds: string[], more: Partial<HostArray> = {}): HostArray => ({
  name: 'data/data',
  kind: 'stripe',
  chunkKiB: 64,
  memberVolumeIds,
  mountPoints: ['/data'],
  builtWith: 'lvm',
  ...more,
});
const host = (arrays: HostArray[], singleVolumeIds: string[] = []): HostEvidence => ({
  arrays,
  singleVolumeIds,
  notes: [],
});

const noLoads = () => null;

describe('by the host', () => {
  test('what the host says comes with how it is joined', () => {
    const [stripe] = stripesOf('i-1', volumesOf(3), {
      host: host([array(['vol-1', 'vol-3'])]),
      loads: noLoads,
    });
    expect(stripe).toMatchObject({
      stripeId: 'i-1/data/data',
      name: 'data/data',
      instanceId: 'i-1',
      region: 'us-east-1',
      volumes: [{ volumeId: 'vol-1' }, { volumeId: 'vol-3' }],
      evidence: 'host',
      confidence: 'high',
      kind: 'stripe',
      chunkKiB: 64,
      mountPoints: ['/data'],
      builtWith: 'lvm',
    });
  });

  test('two logical volumes over the same volumes are one stripe, called by the first of their names', () => {
    const both = [
      array(['vol-1', 'vol-2'], { name: 'vg/log', mountPoints: ['/log'], chunkKiB: 16 }),
      array(['vol-1', 'vol-2'], { name: 'vg/data' }),
    ];
    const stripes = stripesOf('i-1', volumesOf(2), { host: host(both), loads: noLoads });
    expect(stripes).toMatchObject([
      {
        stripeId: 'i-1/vg/data',
        kind: 'stripe',
        chunkKiB: null,
        mountPoints: ['/data', '/log'],
        confidence: 'high',
      },
    ]);
  });

  test('arrays that share some of their volumes: the largest, and less sure', () => {
    const arrays = [
      array(['vol-1', 'vol-2'], { name: 'vg/log' }),
      array(['vol-1', 'vol-2', 'vol-3', 'vol-4']),
    ];
    const stripes = stripesOf('i-1', volumesOf(4), { host: host(arrays), loads: noLoads });
    expect(inShort(stripes)).toEqual([['vol-1 vol-2 vol-3 vol-4', 'host', 'medium']]);
  });

  test.each(['linear', 'other'] as const)(
    'volumes that are joined without sharing evenly (%s) are no stripe, whatever a tag or their loads say',
    (kind) => {
      const volumes = volumesOf(2, { stripeTag: 'data' });
      const sources = {
        host: host([array(['vol-1', 'vol-2'], { kind })]),
        loads: loadsIn(dealtOut(twoDays, 2)),
      };
      expect(stripesOf('i-1', volumes, sources)).toEqual([]);
    },
  );

  test('volumes that the host uses alone are no stripe either', () => {
    const volumes = volumesOf(2, { stripeTag: 'data' });
    const sources = { host: host([], ['vol-1', 'vol-2']), loads: loadsIn(dealtOut(twoDays, 2)) };
    expect(stripesOf('i-1', volumes, sources)).toEqual([]);
  });

  test('a member that the inventory does not know: what is left is not the whole', () => {
    const sources = { host: host([array(['vol-1', 'vol-2', 'vol-9'])]), loads: noLoads };
    expect(stripesOf('i-1', volumesOf(2), sources)).toEqual([]);
  });
});

describe('by tags', () => {
  test('the same value on volumes of the instance', () => {
    const volumes = [
      ...volumesOf(2, { stripeTag: 'data' }),
      aVolume({ volumeId: 'vol-3', stripeTag: 'log' }),
      aVolume({ volumeId: 'vol-4' }),
      aVolume({
        volumeId: 'vol-5',
        stripeTag: 'data',
        volumeType: 'io2',
        iops: 8_000,
        throughputMiBps: null,
      }),
    ];
    const stripes = stripesOf('i-1', volumes, { host: null, loads: noLoads });
    expect(inShort(stripes)).toEqual([['vol-1 vol-2 vol-5', 'tag', 'medium']]);
    expect(stripes).toMatchObject([{ stripeId: 'i-1/data', name: 'data', kind: 'stripe', builtWith: null }]);
  });

  test('the host decides for the volumes that it knows, the tag for the others', () => {
    const volumes = volumesOf(4, { stripeTag: 'data' });
    const sources = { host: host([array(['vol-1', 'vol-2'])]), loads: noLoads };
    expect(inShort(stripesOf('i-1', volumes, sources))).toEqual([
      ['vol-1 vol-2', 'host', 'high'],
      ['vol-3 vol-4', 'tag', 'medium'],
    ]);
  });

  test('a shared volume, or one on its way out, is in none', () => {
    const volumes = [
      aVolume({ volumeId: 'vol-1', stripeTag: 'data' }),
      aVolume({ volumeId: 'vol-2', stripeTag: 'data', multiAttach: true, attachments: on('i-1', 'i-2') }),
      aVolume({ volumeId: 'vol-3', stripeTag: 'data', state: 'deleting' }),
    ];
    expect(stripesOf('i-1', volumes, { host: null, loads: noLoads })).toEqual([]);
  });
});
