/** Of volumes of Kubernetes: what is modified in place is modified by the claim; all else keeps its steps, with a note. */
import { forClaim, withClaimSteps } from '../../../core/audit/kubernetes-steps.ts';
import type { Volume } from '../../../core/inventory.ts';
import type { Layout } from '../../../core/plan/layout.ts';
import { run } from '../../../core/recommendations/recommendation.ts';
import type { Recommendation } from '../../../core/schemas/finding.ts';
import {
  aFinding,
  aRecommendation,
  changeTo,
  commandsOf,
  onInstance,
  onStripe,
  onVolume,
} from '../../fixtures/findings.ts';
import { aVolume } from '../../fixtures/inventory.ts';

const kubernetes = {
  ...{ claim: 'orders-data', namespace: 'payments', volume: 'pvc-1', cluster: 'prod' },
  isOfDriver: true,
};
const id = 'vol-0123456789abcdef0';
const claimed = (more: Partial<Volume> = {}) => aVolume({ volumeId: id, kubernetes, ...more });
const layout: Layout = {
  ...{ kind: 'single', members: 1, volumeType: 'gp3', sizeGiB: 100, iops: 4_000, throughputMiBps: 125 },
};
const byEc2 = run(`aws ec2 modify-volume --volume-id ${id} --iops 4000`);
const modify = (more: Partial<Recommendation> = {}) => aRecommendation({ steps: [byEc2], ...more });

const codesOf = ({ steps }: Recommendation) => steps.map(({ code }) => code);

test('by its claim: no command of EC2 is left, and the fix says how', () => {
  const fix = forClaim(modify(), claimed());
  expect(commandsOf(fix).map((command) => command.split('\n')[0])).toEqual([
    `kubectl get pv --output jsonpath='{range .items[?(@.spec.csi.volumeHandle=="${id}")]}{.spec.claimRef.namespace}/{.spec.claimRef.name}{end}'`,
    "kubectl apply --filename - <<'EOF'",
    `kubectl --namespace payments patch pvc orders-data --patch '{"spec":{"volumeAttributesClassName":"ebs-gp3-4000-iops-125-mibps"}}'`,
    "kubectl --namespace payments get pvc orders-data --output jsonpath='{.status.currentVolumeAttributesClassName}'",
  ]);
  expect(fix.risks).toEqual([{ code: 'by-claim' }]);
});

test('where it grows there is a snapshot first, and the claim asks for the size', () => {
  const [, snapshot, , patch] = commandsOf(
    forClaim(modify({ change: changeTo({ ...layout, sizeGiB: 200 }) }), claimed()),
  );
  expect(snapshot).toBe(`aws ec2 create-snapshot --region us-east-1 --volume-id ${id}`);
  expect(patch).toContain('"storage":"200Gi"');
});

test.each<[string, Recommendation, Volume]>([
  ['a volume of no driver', modify(), claimed({ kubernetes: { ...kubernetes, isOfDriver: false } })],
  ['a migration', modify({ action: 'migrate', inPlace: false }), claimed()],
  [
    'a stripe in its place',
    modify({ change: changeTo({ ...layout, kind: 'stripe', members: 2 }) }),
    claimed(),
  ],
  ['a schedule', modify({ action: 'schedule', change: null }), claimed()],
  ['what is deleted', modify({ action: 'delete', inPlace: false, change: null }), claimed()],
])('%s keeps its steps, with a note', (_, recommendation, volume) => {
  const fix = forClaim(recommendation, volume);
  expect(codesOf(fix)).toEqual(['claim-has-volume', 'run']);
  expect(fix.risks).toEqual(recommendation.risks);
});

test.each<[string, Recommendation, Volume]>([
  ['a volume that is none of Kubernetes', modify(), aVolume({ volumeId: id })],
  ['what only looks', modify({ action: 'investigate', change: null }), claimed()],
  ['what has no steps', modify({ action: 'migrate', inPlace: false, steps: [] }), claimed()],
])('%s stays as it is', (_, recommendation, volume) => {
  expect(forClaim(recommendation, volume)).toEqual(recommendation);
});

describe('of a whole result', () => {
  const other = aVolume({ volumeId: 'vol-2' });

  test('the volume by its claim, the other as before', () => {
    const findings = [id, 'vol-2'].map((one) =>
      aFinding({ resource: onVolume(one), recommendations: [modify()] }),
    );
    const [own, beside] = withClaimSteps(findings, [claimed(), other]);
    expect(commandsOf(own?.recommendations[0])[1]).toMatch(/^kubectl apply/);
    expect(beside).toEqual(findings[1]);
  });

  test('a stripe of which one member is of Kubernetes: the steps of all with a note', () => {
    const finding = aFinding({
      ...{ resource: onStripe('i-1/data'), kind: 'credits-exhausted' },
      evidence: { members: [id, 'vol-2'] },
      recommendations: [modify()],
    });
    const [fix] = withClaimSteps([finding], [claimed(), other])[0]?.recommendations ?? [];
    expect(fix && codesOf(fix)).toEqual(['claim-has-volume', 'run']);
  });

  test.each([
    [id, ['claim-has-volume', 'run']],
    ['vol-2', ['run']],
  ])('an instance whose fix moves %s', (volumeId, codes) => {
    const place = { availabilityZone: 'us-east-1a', architecture: 'x86_64', monthlyUsd: 70 };
    const move = modify({
      ...{ action: 'move-volume', inPlace: false },
      change: {
        ...{ of: 'volume-move', volumeId, loadShare: 0.5, from: 'i-1', to: null },
        ...{ instanceType: 'm5.large', ...place },
      },
    });
    const finding = aFinding({
      ...{ resource: onInstance('i-1'), kind: 'throttled-instance-iops', recommendations: [move] },
    });
    const [fix] = withClaimSteps([finding], [claimed(), other])[0]?.recommendations ?? [];
    expect(fix && codesOf(fix)).toEqual(codes);
  });

  test.each([
    [id, ['claim-has-volume', 'run']],
    ['vol-2', ['run']],
  ])('an instance whose fix lowers %s', (volumeId, codes) => {
    const rates = { iops: 3_000, throughputMiBps: 125 };
    const lower = modify({ change: { of: 'volumes', volumes: [{ volumeId, from: rates, to: rates }] } });
    const finding = aFinding({
      ...{ resource: onInstance('i-1'), kind: 'unreachable-performance', recommendations: [lower] },
    });
    const [fix] = withClaimSteps([finding], [claimed(), other])[0]?.recommendations ?? [];
    expect(fix && codesOf(fix)).toEqual(codes);
  });
});
