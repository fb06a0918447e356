import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulateFleet } from './fleet.ts';
import { writeFleet } from './write-fleet.ts';

const fleet = simulateFleet({ hours: 2 });
const directory = mkdtempSync(join(tmpdir(), 'simulated-fleet-'));
writeFleet(fleet, directory);
afterAll(() => rmSync(directory, { recursive: true }));

const text = (...path: string[]): string => readFileSync(join(directory, ...path), 'utf8');

describe('the files', () => {
  test.each(fleet.regions)('of $region hold what was simulated, four spaces deep', (one) => {
    for (const [name, value] of [
      ['describe-volumes.json', one.describeVolumes],
      ['describe-instances.json', one.describeInstances],
      ['get-metric-data.json', one.getMetricData],
    ] as const) {
      expect(text(one.region, name)).toBe(`${JSON.stringify(value, null, 4)}\n`);
    }
  });

  test('tell the truth beside them', () => {
    const truth = JSON.parse(text('truth.json'));
    expect(truth.troubles).toEqual(fleet.troubles);
    expect(truth.healthyVolumeIds).toEqual(fleet.healthyVolumeIds);
    expect(truth.causesByVolume).toEqual(Object.fromEntries(fleet.causesByVolume));
  });

  test('describe volumes as EC2 does', () => {
    const { Volumes } = JSON.parse(text('us-east-1', 'describe-volumes.json'));
    const byName = (name: string) =>
      Volumes.find((volume: { Tags: { Value: string }[] }) => volume.Tags[0]?.Value === name);
    expect(byName('orders-wal')).toMatchObject({
      VolumeType: 'gp3',
      Iops: 3_000,
      Throughput: 125,
      State: 'in-use',
    });
    expect(byName('batch-root')).toMatchObject({ VolumeType: 'gp2', Iops: 300 });
    expect(byName('batch-root').Throughput).toBeUndefined();
    expect(byName('batch-input').Iops).toBeUndefined();
    expect(byName('cluster-shared')).toMatchObject({ MultiAttachEnabled: true });
    expect(byName('cluster-shared').Attachments).toHaveLength(2);
    expect(byName('pos-journal').OutpostArn).toMatch(/^arn:aws:outposts:us-east-1:111122223333:outpost\/op-/);
    expect(byName('left-big')).toMatchObject({ State: 'available', Attachments: [] });
    expect(byName('being-made')).toMatchObject({ State: 'creating' });
    expect(byName('crm-new-type')).toMatchObject({ VolumeType: 'gp9' });
  });

  test('keep nasty names as they are', () => {
    const names = fleet.regions
      .flatMap(
        ({ describeVolumes }) => (describeVolumes as { Volumes: { Tags: { Value: string }[] }[] }).Volumes,
      )
      .map(({ Tags }) => Tags[0]?.Value ?? '');
    expect(names.some((name) => name.includes('<script>'))).toBe(true);
    expect(names.some((name) => name.includes('\u202E'))).toBe(true);
    expect(names.some((name) => /\p{Emoji_Presentation}/u.test(name))).toBe(true);
    expect(names.some((name) => name.length >= 200 && name.length <= 256)).toBe(true);
  });
});
