/** The change as a patch for who describes the volume: it can be used as it is, and no tag leaves its place in it. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseHcl } from '@cdktf/hcl2json';
import fc from 'fast-check';
import { parse, parseAllDocuments } from 'yaml';
import type { PlannedChange } from '../../../core/schemas/volume-change.ts';
import type { Owner } from '../../../core/schemas/volume-owner.ts';
import { ownerPatch } from '../../../report/steps/owner-patch.ts';
import { paste } from '../../core/plan/steps/paste.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';
import { untrustedText } from '../../fixtures/untrusted-text.ts';
import { aPlan } from '../../fixtures/volume-change.ts';
import { restless } from '../../untrusted/complaints.ts';

/** gp2 of 33 GiB to gp3 of 40 GiB. */
const growing: PlannedChange = {
  ...aPlan,
  from: { volumeType: 'gp2', sizeGiB: 33, iops: null, throughputMiBps: null },
  to: { volumeType: 'gp3', sizeGiB: 40, iops: 3_000, throughputMiBps: 125 },
};
const stackId = 'arn:aws:cloudformation:us-east-1:111122223333:stack/orders/0a1b';
const ofStack = (isOfInstance = false, logicalId: string | null = 'Data'): Owner => ({
  ...{ kind: 'cloudformation', stackId, logicalId, isOfInstance },
});
const ofCluster = (claim: string | null = 'orders', namespace: string | null = 'shop'): Owner => ({
  ...{ kind: 'eks', claim, namespace, cluster: 'prod' },
});
const patchOf = (owner: Owner, plan = growing): string => {
  const { patch } = ownerPatch(owner, plan);
  if (patch === null) throw new Error('there is something to copy');
  return patch;
};

const owners: [string, Owner][] = [
  ['CloudFormation', ofStack()],
  ['CloudFormation, by an instance', ofStack(true)],
  ['EKS', ofCluster()],
  ['launch template', { kind: 'launch-template', group: 'lt-0123456789abcdef0' }],
  ['Auto Scaling group', { kind: 'launch-template', group: 'web' }],
  ['Terraform', { kind: 'terraform', name: 'terraform' }],
  ['somebody else', { kind: 'other', name: 'team-storage' }],
  ['a service', { kind: 'service', principal: 'eks.amazonaws.com' }],
  ['a tag that refuses', { kind: 'refused', tag: 'stripewise:changes' }],
];

test('the patches are those that were read in a review (UPDATE_LINES=1 writes them anew)', () => {
  const text = owners
    .map(([title, owner]) => {
      const { says, patch } = ownerPatch(owner, growing);
      return `## ${title}\n${says}\n${patch ?? ''}`;
    })
    .join('\n');
  const file = join(__dirname, 'owner-patch.txt');
  if (process.env['UPDATE_LINES'] === '1') writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
});

describe('CloudFormation', () => {
  test('the volume of a template has the settings, and no other property', () => {
    expect(parse(patchOf(ofStack()))).toEqual({
      Resources: {
        Data: {
          Type: 'AWS::EC2::Volume',
          Properties: { VolumeType: 'gp3', Size: 40, Iops: 3_000, Throughput: 125 },
        },
      },
    });
  });

  test('a mapping of an instance has no throughput: CloudFormation knows none there, and it is said', () => {
    const patch = patchOf(ofStack(true));
    expect(parse(patch)).toMatchObject({
      Resources: {
        Data: {
          Type: 'AWS::EC2::Instance',
          Properties: { BlockDeviceMappings: [{ Ebs: { VolumeType: 'gp3', VolumeSize: 40, Iops: 3_000 } }] },
        },
      },
    });
    expect(patch).toContain('Throughput of 125 MiB/s needs a launch template');
  });

  test('what the type has no more must go', () => {
    const back = { ...growing, from: growing.to, to: { ...growing.from, sizeGiB: 40 } };
    expect(patchOf(ofStack(), back)).toContain('# Remove Iops and Throughput.');
    expect(parse(patchOf(ofStack(), back)).Resources.Data.Properties).toEqual({
      VolumeType: 'gp2',
      Size: 40,
    });
  });
});

describe('EKS', () => {
  const applied = (patch: string): string => patch.split('EOF')[1]?.replace(/^'\n/, '') ?? '';

  test('a class with the settings, and the claim that names it and asks for the size', () => {
    const patch = patchOf(ofCluster());
    expect(parse(applied(patch))).toEqual({
      ...{ apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttributesClass', driverName: 'ebs.csi.aws.com' },
      metadata: { name: 'ebs-gp3-3000-iops-125-mibps' },
      parameters: { type: 'gp3', iops: '3000', throughput: '125' },
    });
    const spec = {
      volumeAttributesClassName: 'ebs-gp3-3000-iops-125-mibps',
      resources: { requests: { storage: '40Gi' } },
    };
    expect(patch).toContain(
      `kubectl --namespace shop patch pvc orders --patch '${JSON.stringify({ spec })}'`,
    );
  });

  test('where the size stays the claim asks for no other', () => {
    expect(patchOf(ofCluster(), aPlan)).not.toContain('resources');
  });
});

test('Terraform: the arguments of aws_ebs_volume', async () => {
  const patch = patchOf({ kind: 'terraform', name: 'terraform' });
  expect(await parseHcl('patch.tf', patch)).toEqual({
    resource: { aws_ebs_volume: { data: [{ type: 'gp3', size: 40, iops: 3_000, throughput: 125 }] } },
  });
});

describe('pasted into a shell', () => {
  const directory = temporaryDirectory();

  /** What was called, a list of words each. */
  async function calls(lines: readonly string[]): Promise<string[][]> {
    const log = join(directory.path, 'called');
    for (const name of ['aws', 'kubectl', 'touch', 'reboot']) {
      const script = `#!/bin/sh\nprintf '%s\\0' ${name} "$@" >> ${log}\nprintf '\\n' >> ${log}\n`;
      chmodSync(directory.write(`bin/${name}`, script), 0o755);
    }
    writeFileSync(log, '');
    await paste(lines, { shell: '/bin/bash', bin: join(directory.path, 'bin'), cwd: directory.path });
    return readFileSync(log, 'utf8')
      .split('\0\n')
      .slice(0, -1)
      .map((call) => call.split('\0'));
  }

  test('a version of a launch template carries the settings of the device that a person names', async () => {
    const lines = patchOf({ kind: 'launch-template', group: 'lt-0123456789abcdef0' })
      .replace('<device-name>', '/dev/xvda')
      .split('\n');
    const [call, ...more] = await calls(lines);
    expect(more).toEqual([]);
    expect(call?.slice(0, -1)).toEqual([
      ...['aws', 'ec2', 'create-launch-template-version', '--region', 'us-east-1'],
      ...['--launch-template-id', 'lt-0123456789abcdef0', '--source-version', '$Default'],
      '--launch-template-data',
    ]);
    expect(JSON.parse(call?.at(-1) ?? '')).toEqual({
      BlockDeviceMappings: [
        {
          DeviceName: '/dev/xvda',
          Ebs: { VolumeType: 'gp3', VolumeSize: 40, Iops: 3_000, Throughput: 125 },
        },
      ],
    });
  });

  test('what a person did not fill in runs nothing', async () => {
    expect(
      await calls(patchOf({ kind: 'launch-template', group: 'lt-0123456789abcdef0' }).split('\n')),
    ).toEqual([]);
  });

  test('no tag runs anything, or becomes more than its word', async () => {
    await fc.assert(
      fc.asyncProperty(untrustedText, async (text) => {
        const plan = { ...growing, region: text, volumeId: text };
        const lines = [ofCluster(text, text), { kind: 'launch-template' as const, group: text }].flatMap(
          (owner) => patchOf(owner, plan).split('\n'),
        );
        // By command and how many words it has.
        const called = (await calls(lines)).map(([name, verb, ...rest]) => `${name} ${verb} ${rest.length}`);
        const ours = ['kubectl get 3', 'kubectl apply 2', 'kubectl --namespace 6', 'aws autoscaling 7'];
        expect(called[0]).toBe(ours[0]);
        expect(called.filter((one) => !ours.includes(one))).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});

test('no tag leaves its place: whatever it says, a patch has the same lines and the same parts', () => {
  fc.assert(
    fc.property(untrustedText, (text) => {
      const plan = { ...growing, region: text, volumeId: text };
      const of: Owner[] = [
        { kind: 'cloudformation', stackId: text, logicalId: text, isOfInstance: false },
        { kind: 'cloudformation', stackId: text, logicalId: text, isOfInstance: true },
        { kind: 'eks', claim: text, namespace: text, cluster: text },
        { kind: 'launch-template', group: text },
        { kind: 'terraform', name: text },
        { kind: 'other', name: text },
        { kind: 'service', principal: text },
        { kind: 'refused', tag: text },
      ];
      for (const owner of of) {
        const { says, patch } = ownerPatch(owner, plan);
        expect(says).not.toMatch(restless);
        expect(patch ?? '').not.toMatch(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/u);
        if (owner.kind !== 'cloudformation' || patch === null) continue;
        const [document, ...more] = parseAllDocuments(patch);
        expect([more, document?.errors]).toEqual([[], []]);
        expect(Object.keys(document?.toJS().Resources)).toHaveLength(1);
      }
    }),
  );
});
