/** Which of an instance's checks could be 1: by what its volumes can do, and by what their queues allow that they did. */
import { instanceBound } from '../../../../core/audit/passes/groups.ts';
import type { InstanceType } from '../../../../core/catalog/instance-types.ts';
import { configurationOf } from '../../../../core/inventory.ts';
import { anInstance, aVolume } from '../../../fixtures/inventory.ts';
import { anInstanceType, ebs } from '../../../fixtures/region-catalog.ts';

const window = { startEpochSeconds: 0, endEpochSeconds: 86_400 };
const configured = (volume = aVolume()) => {
  const found = configurationOf(volume);
  if (!found.known) throw new Error(found.reason.code);
  return found.value;
};
/** A day in which so much is in flight for so many minutes, and nothing else. */
const queue = (inFlight: number, minutes: number) => ({
  periodSeconds: 60,
  epochSeconds: Float64Array.from({ length: 1_440 }, (_, i) => i * 60),
  values: Float64Array.from({ length: 1_440 }, (_, i) => (i < minutes ? inFlight : 0)),
});
const boundOf = (
  type: Partial<InstanceType> | undefined,
  volumes = [aVolume()],
  queues: ReturnType<typeof queue>[] | null = [],
  instance = anInstance(),
) =>
  instanceBound(
    { instance, type: type && anInstanceType(type), volumes: volumes.map(configured), queues },
    window,
    60,
  );
const iops = 'InstanceEBSIOPSExceededCheck';
const throughput = 'InstanceEBSThroughputExceededCheck';

test('volumes that can do no more than the baseline cannot be throttled: 3,000 IOPS and 125 MiB/s', () => {
  expect(boundOf({ ebs: ebs(3_000, 125) }).asks).toEqual([]);
  expect(boundOf({ ebs: ebs(2_999, 125) }).asks).toEqual([iops]);
  expect(boundOf({ ebs: ebs(3_000, 124) }).asks).toEqual([throughput]);
});

test('all volumes count, with what they do at their best: gp2 of 100 GiB bursts to 3,000', () => {
  const gp2 = aVolume({ volumeType: 'gp2', iops: 300, throughputMiBps: null });
  expect(boundOf({ ebs: ebs(5_999, 500) }, [aVolume(), gp2]).asks).toEqual([iops]);
  expect(boundOf({ ebs: ebs(6_000, 500) }, [aVolume(), gp2]).asks).toEqual([]);
});

test('sequential I/O of a hard disk counts one by one on the instance: 500 MiB/s are 32,000 of 16 KiB', () => {
  const st1 = aVolume({ volumeType: 'st1', sizeGiB: 2_048, iops: null, throughputMiBps: null });
  expect(boundOf({ ebs: ebs(31_999, 1_000) }, [st1]).asks).toEqual([iops]);
  expect(boundOf({ ebs: ebs(32_000, 1_000) }, [st1]).asks).toEqual([]);
});

describe('between baseline and maximum only credits that are gone throttle', () => {
  // (11,000 - 1,000) x 1,800 = 18 million I/O above the baseline are there in any day.
  const type = { ebs: ebs(1_000, 500, { maximumIops: 11_000 }) };

  test('a queue that allows for less in a day clears it', () => {
    // 3,000 is the most, 2,000 of them above the baseline: 149 minutes of it are 17.9 million
    expect(boundOf(type, [aVolume()], [queue(5, 149)]).asks).toEqual([]);
    expect(boundOf(type, [aVolume()], [queue(5, 150)]).asks).toEqual([iops]);
  });

  test('0.2 in flight at 0.1 ms are at most 2,000 a second: half as fast', () => {
    expect(boundOf(type, [aVolume()], [queue(0.2, 299)]).asks).toEqual([]);
    expect(boundOf(type, [aVolume()], [queue(0.2, 300)]).asks).toEqual([iops]);
  });

  test('the volumes together', () => {
    const two = [aVolume(), aVolume({ volumeId: 'vol-2' })];
    expect(boundOf(type, two, [queue(0.1, 299), queue(0.1, 299)]).asks).toEqual([]);
    expect(boundOf(type, two, [queue(0.1, 300), queue(0.1, 300)]).asks).toEqual([iops]);
  });

  test('without the queue of one of them it is asked', () => {
    expect(boundOf(type, [aVolume()], null).asks).toEqual([iops]);
  });
});

test('above the maximum it is asked, however little was in flight', () => {
  const type = { ebs: ebs(1_000, 500, { maximumIops: 2_999 }) };
  expect(boundOf(type, [aVolume()], [queue(0, 0)]).asks).toEqual([iops]);
});

describe('what is not known is asked', () => {
  test.each([
    ['a type that is in no catalog', undefined, anInstance()],
    ['a type that EC2 tells no limits of', { ebs: null }, anInstance()],
    [
      'a type that can share its bandwidth otherwise, and nobody told',
      { ebs: ebs(90_000, 9_000), bandwidthWeightings: ['ebs-1', 'vpc-1'] },
      anInstance(),
    ],
    [
      'one that gives bandwidth to the network',
      { ebs: ebs(90_000, 9_000) },
      anInstance({ bandwidthWeighting: 'vpc-1' }),
    ],
  ])('%s', (_, type, instance) => {
    expect(boundOf(type, [aVolume()], [queue(0, 0)], instance).asks).toEqual([iops, throughput]);
  });

  test('a volume whose configuration is not known', () => {
    const unknown = { instance: anInstance(), type: anInstanceType(), volumes: null, queues: [] };
    expect(instanceBound(unknown, window, 60).asks).toEqual([iops, throughput]);
  });
});

test('of several EBS cards one may bind: 3,000 of 2,500 each', () => {
  const cards = [ebs(2_500, 500), ebs(2_500, 500)];
  expect(boundOf({ ebs: ebs(5_000, 1_000), cards }).asks).toEqual([iops]);
});

test('an instance without Nitro publishes none', () => {
  expect(boundOf({ nitro: false, ebs: ebs(100, 1) })).toEqual({ asks: [], couldReadBound: false });
});
