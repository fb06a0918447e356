/** What an audit says of the findings that are known: there, gone, or nothing. */
import type { FindingRecord, Sighting } from '../../../core/advisory/finding-record.ts';
import { afterLook } from '../../../core/advisory/life.ts';
import { sightingsOf } from '../../../core/advisory/sightings.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import type { FindingResource } from '../../../core/schemas/finding.ts';
import {
  aFinding,
  aRecord,
  aResult,
  aSighting,
  aVerdict,
  onInstance,
  onStripe,
  onVolume,
  runEndEpochSeconds,
  someRules,
} from '../../fixtures/findings.ts';

const place = { region: 'us-east-1', account: '111122223333' };
const volume = onVolume('vol-1', place);
const instance = onInstance('i-1', place);
const array = onStripe('i-1/data', place);

const stripe: AuditResult['stripes'][number] = {
  ...{
    stripeId: 'i-1/data',
    name: 'data',
    instanceId: 'i-1',
    region: 'us-east-1',
    volumeIds: ['vol-1', 'vol-2'],
  },
  ...{ evidence: 'host', confidence: 'high', kind: 'raid0', chunkKiB: 64, builtWith: 'lvm', mountPoints: [] },
  ...{ limits: null, unlikeMembers: [] },
};
const whole = { wholeRegions: ['us-east-1'] };
const healthy = aVerdict({ verdict: 'healthy' });
const unknown = aVerdict({ verdict: 'unknown', because: { code: 'no-operations' } });

/** What a run without findings says of an open one on this. */
function saidOf(resource: FindingResource, result: Partial<AuditResult>): 'gone' | 'nothing' {
  const sightings = sightingsOf(aResult([], result), [aRecord(aFinding({ resource }))], someRules);
  const sighting = sightings.get('finding-1');
  if (sighting === undefined) return 'nothing';
  expect(sighting.finding).toBeNull();
  return 'gone';
}

test('what a run found is there, as it is remembered, seen when its window ended', () => {
  const finding = aFinding({ evidence: { heldBackMinutesWorst24h: 12, topQueueLength: 4, limitIops: null } });
  const result = aResult([finding], {
    volumes: [aVerdict({ volumeType: 'gp2', sizeGiB: 1_500 })],
  });
  // Of the evidence what its lines are made from.
  const evidence = { heldBackMinutesWorst24h: 12 };
  expect([...sightingsOf(result, [], someRules)]).toEqual([
    [
      'finding-1',
      {
        ...{ source: 'audit', by: 'run-1', atEpochSeconds: 1_795_132_800 },
        finding: { ...finding, evidence, volumeText: 'gp2 1,500 GiB' },
      },
    ],
  ]);
});

test('what is there comes first, in the order of the run, then what is gone; what is there is not gone', () => {
  const result = aResult([aFinding({ id: 'b' }), aFinding({ id: 'a' })], { volumes: [healthy] });
  const open = ['z', 'a'].map((id) => aRecord(aFinding({ id })));
  expect(
    [...sightingsOf(result, open, someRules)].map(([id, { finding }]) => [id, finding !== null]),
  ).toEqual([
    ['b', true],
    ['a', true],
    ['z', false],
  ]);
});

test('a finding on an instance has no volume to describe', () => {
  const result = aResult([aFinding({ resource: instance })]);
  expect(sightingsOf(result, [], someRules).get('finding-1')?.finding?.volumeText).toBeNull();
});

describe('not found again', () => {
  test.each<[string, FindingResource, Partial<AuditResult>, 'gone' | 'nothing']>([
    ['its volume is healthy', volume, { volumes: [healthy] }, 'gone'],
    ['its volume has another finding', volume, { volumes: [aVerdict()] }, 'gone'],
    ['its volume could not be judged', volume, { volumes: [unknown], ...whole }, 'nothing'],
    ['its volume is not in a Region that was read in whole', volume, { ...whole }, 'gone'],
    ['its volume is not in a Region that was read in part', volume, {}, 'nothing'],
    ['its Region was not asked for', volume, { wholeRegions: ['eu-central-1'] }, 'nothing'],
    ['its instance was judged, or is gone', instance, { ...whole }, 'gone'],
    ['of its Region not all instances were listed', instance, { volumes: [healthy] }, 'nothing'],
    [
      'all members of its stripe were judged',
      array,
      { stripes: [stripe], volumes: [healthy, aVerdict({ volumeId: 'vol-2' })] },
      'gone',
    ],
    [
      'a member of its stripe could not be judged',
      array,
      { ...whole, stripes: [stripe], volumes: [healthy, { ...unknown, volumeId: 'vol-2' }] },
      'nothing',
    ],
    ['a member of its stripe was not read', array, { stripes: [stripe], volumes: [healthy] }, 'nothing'],
    ['its stripe is no stripe any more', array, { ...whole, volumes: [healthy] }, 'gone'],
    ['its stripe is not there, and its Region was read in part', array, { volumes: [healthy] }, 'nothing'],
  ])('%s', (_, resource, result, said) => {
    expect(saidOf(resource, result)).toBe(said);
  });

  test.each([instance, array])('its instance could not be judged: %j', (resource) => {
    const result = aResult([], whole);
    result.coverage.instances.notJudged.push({ instanceId: 'i-1', because: { code: 'no-operations' } });
    expect(saidOf(resource, result)).toBe('nothing');
  });

  describe('what the pulse alone saw', () => {
    /** A run in which its volume is healthy, so long after the pulse's last look at it. */
    const seenBefore = (seconds: number): [FindingRecord, ReturnType<typeof sightingsOf>] => {
      const atEpochSeconds = runEndEpochSeconds - seconds;
      const sights = { pulse: { atEpochSeconds, level: 'warning' as const, lower: null } };
      const record = aRecord(aFinding(), { sights });
      return [record, sightingsOf(aResult([], { volumes: [healthy] }), [record], someRules)];
    };

    test('is not for an audit to miss as long as the pulse looks', () => {
      expect(seenBefore(someRules.staleSeconds.pulse)[1].size).toBe(0);
    });

    test('and nobody looks at any more, is ended by it', () => {
      const [record, sightings] = seenBefore(someRules.staleSeconds.pulse + 1);
      const after = afterLook(
        'finding-1',
        record,
        sightings.get('finding-1') as Sighting,
        someRules,
        runEndEpochSeconds,
      );
      expect(after).toMatchObject({ level: null, resolvedEpochSeconds: runEndEpochSeconds });
    });
  });
});

test('a run without a window has no time, and says nothing', () => {
  const result = aResult([aFinding()], { window: null });
  expect(sightingsOf(result, [aRecord(aFinding({ id: 'a' }))], someRules).size).toBe(0);
});

test('a look of the run is what the fixtures call one', () => {
  expect(sightingsOf(aResult([aFinding()]), [], someRules).get('finding-1')).toEqual(aSighting(aFinding()));
});
