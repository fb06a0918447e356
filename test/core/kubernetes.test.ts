/** What tags say of Kubernetes, also those that lie; and the commands that change a volume through its claim. */
import fc from 'fast-check';
import { parse } from 'yaml';
import { claimCommands, kubernetesOf, sharedKubernetes } from '../../core/kubernetes.ts';
import { batchSchema, volumeSchema } from '../../core/schemas/batch.ts';
import { aVolume } from '../fixtures/inventory.ts';
import { untrustedText } from '../fixtures/untrusted-text.ts';

const names = {
  'kubernetes.io/created-for/pvc/name': 'orders-data',
  'kubernetes.io/created-for/pvc/namespace': 'payments',
  'kubernetes.io/created-for/pv/name': 'pvc-1',
};
const driver = { 'ebs.csi.aws.com/cluster': 'true' };
const whole = { claim: 'orders-data', namespace: 'payments', volume: 'pvc-1', cluster: 'prod' };

test.each([
  ['all tags', { ...names, ...driver, KubernetesCluster: 'prod' }, { ...whole, isOfDriver: true }],
  [
    'the cluster in a key',
    { ...names, ...driver, 'kubernetes.io/cluster/prod': 'owned' },
    { ...whole, isOfDriver: true },
  ],
  [
    'the cluster as a policy of EKS asks for it',
    { ...names, ...driver, 'ebs.csi.aws.com/cluster-name': 'prod' },
    { ...whole, isOfDriver: true },
  ],
  [
    'two clusters in keys: nobody knows which',
    { ...names, ...driver, 'kubernetes.io/cluster/a': 'owned', 'kubernetes.io/cluster/b': 'owned' },
    { ...whole, cluster: null, isOfDriver: true },
  ],
  [
    'a cluster that only shares it',
    { ...names, ...driver, 'kubernetes.io/cluster/prod': 'shared' },
    { ...whole, cluster: null, isOfDriver: true },
  ],
  [
    'no tag of the driver: not treated as its own',
    { ...names, KubernetesCluster: 'prod' },
    { ...whole, isOfDriver: false },
  ],
  [
    'a tag of the driver that does not say true',
    { ...names, 'ebs.csi.aws.com/cluster': 'false' },
    { ...whole, cluster: null, isOfDriver: false },
  ],
  [
    'a claim without its namespace',
    { 'kubernetes.io/created-for/pvc/name': 'orders-data', ...driver },
    { claim: 'orders-data', namespace: null, volume: null, cluster: null, isOfDriver: true },
  ],
  [
    'the driver alone, without --extra-create-metadata',
    driver,
    { claim: null, namespace: null, volume: null, cluster: null, isOfDriver: true },
  ],
  [
    'empty values are none',
    { ...driver, 'kubernetes.io/created-for/pvc/name': '', KubernetesCluster: '' },
    { claim: null, namespace: null, volume: null, cluster: null, isOfDriver: true },
  ],
  ['a disk of a node', { 'kubernetes.io/cluster/prod': 'owned', KubernetesCluster: 'prod' }, null],
  ['a namespace alone', { 'kubernetes.io/created-for/pvc/namespace': 'payments' }, null],
  ['no tags', {}, null],
])('%s', (_, tags, said) => {
  expect(kubernetesOf(tags)).toEqual(said);
});

test('a value that is too long is cut', () => {
  const said = kubernetesOf({ ...driver, 'kubernetes.io/created-for/pvc/name': 'x'.repeat(10_000) });
  expect(said?.claim).toHaveLength(256);
});

describe('of several volumes what all say alike', () => {
  const volumeOf = (tags: Record<string, string>) => ({
    kubernetes: kubernetesOf({ ...driver, ...tags }) ?? undefined,
  });

  test('two claims of one namespace', () => {
    const others = [volumeOf(names), volumeOf({ ...names, 'kubernetes.io/created-for/pvc/name': 'other' })];
    expect(sharedKubernetes(others)).toEqual({
      ...{ claim: null, namespace: 'payments', volume: 'pvc-1', cluster: null, isOfDriver: true },
    });
  });

  test('nothing where one is none of Kubernetes, or there are none', () => {
    expect(sharedKubernetes([volumeOf(names), {}])).toBeNull();
    expect(sharedKubernetes([])).toBeNull();
  });
});

describe('commands', () => {
  const from = { volumeType: 'gp2', sizeGiB: 33, iops: null, throughputMiBps: null } as const;
  const to = { volumeType: 'gp3', sizeGiB: 33, iops: 3_000, throughputMiBps: 125 } as const;

  test('a class of the settings, named by them, and the claim that names it', () => {
    const { makeClass, patchClaim, showClass, grows } = claimCommands(whole, from, to);
    const [first, ...manifest] = makeClass.split('\n');
    expect([first, manifest.at(-1), grows]).toEqual(["kubectl apply --filename - <<'EOF'", 'EOF', false]);
    expect(parse(manifest.slice(0, -1).join('\n'))).toEqual({
      ...{ apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttributesClass', driverName: 'ebs.csi.aws.com' },
      metadata: { name: 'ebs-gp3-3000-iops-125-mibps' },
      parameters: { type: 'gp3', iops: '3000', throughput: '125' },
    });
    const spec = { volumeAttributesClassName: 'ebs-gp3-3000-iops-125-mibps' };
    expect(patchClaim).toBe(
      `kubectl --namespace payments patch pvc orders-data --patch '${JSON.stringify({ spec })}'`,
    );
    expect(showClass).toMatch(/^kubectl --namespace payments get pvc orders-data --output jsonpath=/);
  });

  test('a size that grows is what the claim requests', () => {
    const { patchClaim, grows } = claimCommands(whole, from, { ...to, sizeGiB: 40 });
    expect(grows).toBe(true);
    expect(patchClaim).toContain('"resources":{"requests":{"storage":"40Gi"}}');
  });

  test.each([
    ['-a', 'orders'],
    ['Payments', 'orders'],
    ['a.b', 'orders'], // a namespace has no dots
    ['x'.repeat(64), 'orders'],
    ['payments', '../orders'],
    ['payments', 'orders.-x'],
    ['payments', `${'a.'.repeat(127)}`],
    [null, 'orders'],
  ])('of %j and %j a placeholder stands for what is no name', (namespace, claim) => {
    const { patchClaim } = claimCommands({ namespace, claim }, from, to);
    expect(patchClaim).toMatch(/<namespace>|<claim>/);
  });

  test('whatever tags say, the commands have the same words but two', () => {
    const wordsOf = (text: string) => text.split(' ').length;
    const { patchClaim: plain } = claimCommands(whole, from, to);
    fc.assert(
      fc.property(untrustedText, untrustedText, (claim, namespace) => {
        const { makeClass, patchClaim } = claimCommands({ claim, namespace }, from, to);
        expect(makeClass).toBe(claimCommands(whole, from, to).makeClass);
        expect(wordsOf(patchClaim)).toBe(wordsOf(plain));
        expect(patchClaim.length).toBeLessThan(plain.length + 400);
        expect(patchClaim).not.toMatch(/[\p{C}\p{Zl}\p{Zp}`$\\]/u);
      }),
    );
  });
});

describe('stored', () => {
  test('a volume keeps it through a batch', () => {
    const volume = aVolume({
      kubernetes: { ...whole, isOfDriver: true },
      ...{ snapshotId: 'snap-0123456789abcdef0', createdEpochSeconds: 1_790_000_000 },
      initializationRateMiBps: 200,
    });
    expect(volumeSchema.parse(JSON.parse(JSON.stringify(volume)))).toEqual(volume);
  });

  test('a batch of an earlier version has none, and is read', () => {
    const { kubernetes, snapshotId, ...before } = aVolume();
    const batch = { region: 'us-east-1', account: '111122223333', volumes: [before], instances: [] };
    const [read] = batchSchema.parse({ ...batch, published: null }).volumes;
    expect([kubernetes, snapshotId, read?.kubernetes, read?.snapshotId]).toEqual(Array(4).fill(undefined));
  });
});
