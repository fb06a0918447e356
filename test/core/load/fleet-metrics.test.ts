/** What a collector keeps of the points of a fleet. */
import { MetricCollector, type MetricName } from '../../../core/load/metrics.ts';

const read = 'VolumeReadOps';
const write = 'VolumeWriteOps';

describe('series with the same times share one axis', () => {
  const collector = new MetricCollector();
  collector.add('a', read, [0, 60, 120], [1, 2, 3]);
  collector.add('a', write, [0, 60, 120], [4, 5, 6]);
  collector.add('b', read, [120, 0, 60], [9, 7, 8]);
  collector.add('c', read, [0, 60, 180], [1, 2, 3]);
  collector.add('d', read, [0, 60, 120], [1, 2, 3]);
  const metrics = collector.finish();
  const axisOf = (id: string, name: MetricName = read) => metrics.of(id).get(name)?.epochSeconds;

  test('of one resource and of another, whatever order their points come in', () => {
    expect(axisOf('a', write)).toBe(axisOf('a'));
    expect(axisOf('b')).toBe(axisOf('a'));
    expect([...(metrics.of('b').get(read)?.values ?? [])]).toEqual([7, 8, 9]);
  });

  test('as long, and from the same time on, is not the same', () => {
    expect([...(axisOf('c') ?? [])]).toEqual([0, 60, 180]);
    expect([...(axisOf('d') ?? [])]).toEqual([0, 60, 120]);
  });
});
