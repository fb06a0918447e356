/** What an audit says of the findings that are known: there, gone, or nothing. */
import type { FindingRecord, Observation } from '../../../core/lifecycle/finding-record.ts';
import { afterObservation } from '../../../core/lifecycle/lifecycle.ts';
import { observationsOf } from '../../../core/lifecycle/observations.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import type { FindingResource } from '../../../core/schemas/finding.ts';
import {
  aFinding,
  anEvaluation,
  anObservation,
  aRecord,
  aResult,
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
const healthy = anEvaluation({ status: 'healthy' });
const unknown = anEvaluation({ status: 'unknown', reason: { code: 'no-operations' } });

/** What a run without findings says of an open one on this. */
function saidOf(resource: FindingResource, result: Partial<AuditResult>): 'gone' | 'nothing' {
  const observations = observationsOf(aResult([], result), [aRecord(aFinding({ resource }))], someRules);
  const observation = observations.get('finding-1');
  if (observation === undefined) return 'nothing';
  expect(observation.finding).toBeNull();
  return 'gone';
}

test('what a run found is there, as it is remembered, seen when its window ended', () => {
  const finding = aFinding({ evidence: { throttledMinutesPeak24h: 12, topQueueLength: 4, limitIops: null } });
  const result = aResult([finding], {
    volumes: [anEvaluation({ volumeType: 'gp2', sizeGiB: 1_500 })],
  });
  // Of the evidence what its lines are made from.
  const evidence = { throttledMinutesPeak24h: 12 };
  expect([...observationsOf(result, [], someRules)]).toEqual([
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
    [...observationsOf(result, open, someRules)].map(([id, { finding }]) => [id, finding !== null]),
  ).toEqual([
    ['b', true],
    ['a', true],
    ['z', false],
  ]);
});

test('a finding on an instance has no volume to describe', () => {
  const result = aResult([aFinding({ resource: instance })]);
  expect(observationsOf(result, [], someRules).get('finding-1')?.finding?.volumeText).toBeNull();
});

describe('not found again', () => {
  test.each<[string, FindingResource, Partial<AuditResult>, 'gone' | 'nothing']>([
    ['its volume is healthy', volume, { volumes: [healthy] }, 'gone'],
    ['its volume has another finding', volume, { volumes: [anEvaluation()] }, 'gone'],
    ['its volume could not be evaluated', volume, { volumes: [unknown], ...whole }, 'nothing'],
    ['its volume is not in a Region that was read in whole', volume, { ...whole }, 'gone'],
    ['its volume is not in a Region that was read in part', volume, {}, 'nothing'],
    ['its Region was not asked for', volume, { wholeRegions: ['eu-central-1'] }, 'nothing'],
    ['its instance was evaluated, or is gone', instance, { ...whole }, 'gone'],
    ['of its Region not all instances were listed', instance, { volumes: [healthy] }, 'nothing'],
    [
      'all members of its stripe were evaluated',
      array,
      { stripes: [stripe], volumes: [healthy, anEvaluation({ volumeId: 'vol-2' })] },
      'gone',
    ],
    [
      'a member of its stripe could not be evaluated',
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

  test.each([instance, array])('its instance could not be evaluated: %j', (resource) => {
    const result = aResult([], whole);
    result.coverage.instances.notEvaluated.push({ instanceId: 'i-1', reason: { code: 'no-operations' } });
    expect(saidOf(resource, result)).toBe('nothing');
  });

  describe('what monitoring alone saw', () => {
    /** A run in which its volume is healthy, so long after monitoring's last observation at it. */
    const seenBefore = (seconds: number): [FindingRecord, ReturnType<typeof observationsOf>] => {
      const atEpochSeconds = runEndEpochSeconds - seconds;
      const sourceStates = { monitoring: { atEpochSeconds, level: 'warning' as const, lower: null } };
      const record = aRecord(aFinding(), { sourceStates });
      return [record, observationsOf(aResult([], { volumes: [healthy] }), [record], someRules)];
    };

    test('is not for an audit to miss as long as monitoring polls', () => {
      expect(seenBefore(someRules.staleSeconds.monitoring)[1].size).toBe(0);
    });

    test('and nobody looks at any more, is ended by it', () => {
      const [record, observations] = seenBefore(someRules.staleSeconds.monitoring + 1);
      const after = afterObservation(
        'finding-1',
        record,
        observations.get('finding-1') as Observation,
        someRules,
        runEndEpochSeconds,
      );
      expect(after).toMatchObject({ level: null, resolvedEpochSeconds: runEndEpochSeconds });
    });
  });
});

test('a run without a window has no time, and says nothing', () => {
  const result = aResult([aFinding()], { window: null });
  expect(observationsOf(result, [aRecord(aFinding({ id: 'a' }))], someRules).size).toBe(0);
});

test('an observation of the run is what the fixtures call one', () => {
  expect(observationsOf(aResult([aFinding()]), [], someRules).get('finding-1')).toEqual(
    anObservation(aFinding()),
  );
});
