import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { readPlanned } from '../../../adapters/infrastructure/infrastructure.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { check } from '../../../core/check/check.ts';
import { checkedOf } from '../../../core/check/checked.ts';
import type { PlannedResource } from '../../../core/check/planned.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { BadInput } from '../../../core/errors.ts';
import { known } from '../../../core/known.ts';

const fixtures = 'test/fixtures/infrastructure';
/** Written for one behaviour each. */
const byHand = 'test/fixtures/infrastructure-by-hand';
let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'planned-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const fileWith = (text: string, name = 'given.yaml'): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};
const plannedIn = (...paths: string[]) => readPlanned(paths.map((path) => join(fixtures, path)));
const plannedByHand = (path: string) => readPlanned([join(byHand, path)]);
const only = <Kind extends PlannedResource['kind']>(all: readonly PlannedResource[], kind: Kind) =>
  all.filter((one): one is Extract<PlannedResource, { kind: Kind }> => one.kind === kind);
const refusal = (path: string): string => {
  try {
    readPlanned([path]);
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
  return 'read';
};

/** A plan of one volume that is there, or shall be. */
const planOf = (change: object, expressions: object | null = {}, more: object = {}): string =>
  JSON.stringify({
    format_version: '1.2',
    resource_changes: [
      { address: 'aws_ebs_volume.orders', mode: 'managed', type: 'aws_ebs_volume', name: 'orders', change },
    ],
    ...(expressions === null
      ? {}
      : {
          configuration: {
            root_module: { resources: [{ type: 'aws_ebs_volume', name: 'orders', expressions }] },
          },
        }),
    ...more,
  });
const volumeIn = (text: string) => {
  const [volume] = only(readPlanned([fileWith(text, 'plan.json')]).resources, 'volume');
  if (volume === undefined) throw new Error('no volume');
  return volume;
};

describe('nothing is skipped', () => {
  test('below a directory, what is something else is counted, and what cannot be read says why', () => {
    const { coverage } = readPlanned([fixtures]);
    expect(coverage.passedOver).toContainEqual({ ending: '.md', count: 1 });
    expect(coverage.unreadable.map(({ reason }) => reason)).toContainEqual(
      expect.stringContaining('chart.yaml:1: it is a template with {{ }} in it'),
    );
  });
});

describe('a Terraform plan', () => {
  test('what is not set is not "known after apply"', () => {
    const change = {
      actions: ['create'],
      before: null,
      after: { size: 20, type: 'gp3' },
      after_unknown: { iops: true, throughput: true },
    };
    const { asked } = volumeIn(
      planOf(change, { throughput: { references: ['aws_instance.a.id', 'aws_instance.a'] } }),
    );
    expect(asked).toMatchObject({ sizeGiB: known(20), volumeType: known('gp3'), iops: known(null) });
    expect(asked.throughputMiBps).toEqual({
      known: false,
      reason: { code: 'known-after-apply', detail: null },
    });
  });
  test('a sensitive value is not kept, wherever it is', () => {
    const change = {
      actions: ['create'],
      after: { size: 4711, type: 'gp3', tags: { a: 'hush', b: 'shown' } },
      after_sensitive: { size: true, tags: { a: true } },
    };
    const volume = volumeIn(planOf(change));
    expect(volume.asked.sizeGiB).toEqual({ known: false, reason: { code: 'sensitive', detail: null } });
    expect(volume.tags).toEqual({ b: 'shown' });
    expect(JSON.stringify(volume)).not.toMatch(/4711|hush/);
  });
  test('gp2 of 2,000 GiB -> gp3 keeps the 6,000 IOPS of the state: the provider sends them; of its 250 MiB/s 125 are left', () => {
    const before = { id: 'vol-0123456789abcdef0', size: 2_000, type: 'gp2', iops: 6_000, throughput: 0 };
    const path = fileWith(
      planOf({ actions: ['update'], before, after: { ...before, type: 'gp3' } }),
      'plan.json',
    );
    const planned = readPlanned([path]);
    const [volume] = only(planned.resources, 'volume');
    expect(volume?.asked).toMatchObject({ iops: known(6_000), throughputMiBps: known(null) });
    const { findings } = check(planned, checkedOf(planned, 'us-east-1'), {
      ...{
        regionCatalogs: builtInRegionCatalog,
        thresholds: defaultThresholds,
        loadClass: null,
        changedOnly: false,
        measured: null,
      },
    });
    const lower = findings.find(({ rule }) => rule === 'lower-throughput');
    expect(lower?.facts).toMatchObject({
      before: { iops: 6_000, throughputMiBps: 250 },
      after: { iops: 6_000, throughputMiBps: 125 },
    });
  });
  test('IOPS of the type before are not asked for after the type changes', () => {
    const before = { id: 'vol-0123456789abcdef0', size: 100, type: 'gp2', iops: 300, throughput: 0 };
    const volume = volumeIn(planOf({ actions: ['update'], before, after: { ...before, type: 'gp3' } }));
    expect(volume).toMatchObject({ action: 'update', volumeId: 'vol-0123456789abcdef0' });
    expect([volume.asked.iops, volume.asked.throughputMiBps]).toEqual([known(null), known(null)]);
    expect(volume.before?.iops).toEqual(known(300));
  });
  test('names that every object of JavaScript has are types and actions that there are not', () => {
    const before = { id: 'vol-0123456789abcdef0', size: 100, type: 'constructor', iops: 300, throughput: 1 };
    const volume = volumeIn(planOf({ actions: ['constructor'], before, after: before }));
    expect(volume).toMatchObject({ action: 'none', asked: { volumeType: known('constructor') } });
  });
  test('a replacement says for what', () => {
    const after = { size: 8, availability_zone: 'eu-west-1b' };
    const volume = volumeIn(
      planOf({ actions: ['delete', 'create'], before: after, after, replace_paths: [['availability_zone']] }),
    );
    expect(volume).toMatchObject({
      action: 'replace',
      replacedFor: ['availability_zone'],
      region: 'eu-west-1',
    });
  });
  test('an attachment names its volume and its instance, made or not', () => {
    for (const name of [
      'attachment-to-create.json',
      'attachment-that-stands.json',
      'attachment-among-others.json',
    ]) {
      const { resources } = plannedIn(`terraform/${name}`);
      const addresses = resources.map(({ address }) => address);
      const [attachment] = only(resources, 'attachment');
      expect(addresses).toContain(attachment?.volume.address);
      expect(addresses).toContain(attachment?.instance.address);
    }
  });
  test('a rule is ignored by a tag with a reason', () => {
    const tags = { 'stripewise:ignore': 'gp2 until May', 'stripewise:ignore:sum': 'tested' };
    const volume = volumeIn(planOf({ actions: ['create'], after: { size: 1, tags } }));
    expect(volume.ignoredRules).toEqual([
      { rule: 'gp2', reason: 'until May' },
      { rule: 'sum', reason: 'tested' },
    ]);
  });
});

describe('CloudFormation', () => {
  test('parameters, mappings and conditions that the template decides', () => {
    const { resources, coverage } = plannedByHand('cloudformation/rolling-group.json');
    const [configuration] = only(resources, 'launch-template');
    const [group] = only(resources, 'auto-scaling-group');
    expect(configuration?.instanceType).toEqual(known('c5.large'));
    expect(configuration?.devices.map(({ asked }) => asked.sizeGiB)).toEqual([known(50)]); // no batch: one disk
    expect(group?.copies).toEqual({ known: false, reason: { code: 'parameter', detail: 'Wanted' } });
    expect(group?.launchTemplate?.address).toBe('Configuration');
    expect(coverage.notMade).toBe(1);
  });
  test('what it does not decide is unknown, and what is secret is not kept', () => {
    const { resources } = plannedByHand('cloudformation/launch-template-mixed.yaml');
    const [template] = only(resources, 'launch-template');
    const reasons = template?.devices.map(({ asked }) => asked.sizeGiB.known || asked.sizeGiB.reason.code);
    expect(reasons).toEqual(['parameter', 'not-resolved']);
    expect(JSON.stringify(resources)).not.toContain('nobody');
    expect(only(resources, 'auto-scaling-group')[0]?.instanceTypes).toEqual(known(['m6i.large', 'm5.large']));
  });
  test('a resource has its line', () => {
    const { resources } = plannedByHand('cloudformation/instance-with-volume.yaml');
    const lines = readFileSync(join(byHand, 'cloudformation/instance-with-volume.yaml'), 'utf8').split('\n');
    for (const { address, line } of resources) expect(lines[(line ?? 0) - 1]).toContain(`${address}:`);
  });
  test('a CDK app: stacks, stages and nested stacks, and a circle ends', () => {
    const { resources, coverage } = plannedByHand('cloud-assembly');
    expect(resources.map(({ address, region }) => `${address} ${region}`)).toEqual([
      'OrdersStack/NestedStackResource/DiskA1B2C3D4 eu-west-1',
      'Prod-Data/Data us-west-2',
    ]);
    expect(only(resources, 'volume')[0]?.asked.sizeGiB).toEqual(known(120));
    expect(coverage.unknown).toContainEqual({ type: 'AWS::CloudFormation::Stack', count: 1 });
    expect(coverage.unreadable).toHaveLength(1); // the assembly that names itself
  });
});

describe('Kubernetes', () => {
  test('classes and claims, with sizes rounded up to GiB', () => {
    const { resources, coverage } = plannedByHand('kubernetes/classes-and-claim.yaml');
    const [claim] = only(resources, 'claim');
    expect(claim?.sizeGiB).toEqual(known(2)); // 1,500 MiB = 1.46 GiB
    expect(claim?.ignoredRules).toEqual([{ rule: 'gp2', reason: 'until the move in May' }]);
    expect(only(resources, 'storage-class')[0]).toMatchObject({
      isDefault: true,
      asked: { iops: known(5000) },
    });
    expect(coverage.unknown).toEqual([{ type: 'StorageClass of efs.csi.aws.com', count: 1 }]);
  });
  test('claims of a StatefulSet, one for each of its pods', () => {
    const claims = only(plannedByHand('kubernetes/stateful-set.yaml').resources, 'claim');
    const sizes = claims.map(({ name, sizeGiB, copies }) => [name, sizeGiB, copies]);
    expect(sizes).toEqual([
      ['data', known(1024), known(3)],
      ['log', known(19), known(3)], // 20e9 / 2^30 = 18.6
      ['scratch', known(4), known(3)],
    ]);
  });
});

describe('bad input is one line', () => {
  const bomb = `a: &a [x, x, x, x, x, x, x, x]\n${'bcdefgh'
    .split('')
    .map((name, at) => `${name}: &${name} [${`*${'abcdefg'[at]}, `.repeat(8)}]`)
    .join('\n')}\n`;
  test.each([
    ['another version', '{"format_version": "2.0", "planned_values": {}}', 'format_version is "2.0"'],
    ['an old version', '{"format_version": "0.2", "planned_values": {}}', 'format_version is "0.2"'],
    ['a state', '{"format_version": "1.0", "values": {}}', 'it is a state and no plan'],
    ['changes that are no list', '{"format_version": "1.2", "resource_changes": "none"}', 'is no list'],
    [
      'changes that are none',
      '{"format_version": "1.2", "resource_changes": [[], 5]}',
      '2 of resource_changes are',
    ],
    [
      'values that are none',
      '{"format_version": "1.2", "planned_values": []}',
      'planned_values is no object',
    ],
    ['a stored plan', 'PK\u0003\u0004....', 'it is a plan as Terraform stores it'],
    ['events', '{"@level":"info"}\n{"@level":"info"}', 'the events of `terraform plan -json`'],
    ['nothing', ' \n', 'it is empty'],
    ['a circle of aliases', 'apiVersion: &a [*a]\nkind: List\n', 'nested deeper'],
    ['a bomb', `apiVersion: v1\nkind: List\n${bomb}`, 'its aliases stand for more than'],
    ['a tab', 'Resources:\n\tA:\n\t\tType: AWS::EC2::Volume\n', 'not valid YAML'],
    ['deep JSON', `{"apiVersion":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'manifest'],
  ])('%s', (_, text, part) => {
    const message = refusal(fileWith(text));
    expect(message).toContain(part);
    expect(message).not.toContain('\n');
  });
  test.each([
    '{"Resources": {"A": hunter2}}',
    `{"Resources": {"A": ${' '.repeat(80)}"password": "hunter2", b, ${'"c": 1, '.repeat(20)}}}`,
    '{"Resources": {"password": "hunter2" "b": 1}}',
    '{"Resources": {"password": "hunter2',
    '{"Resources": {"a": 1}} hunter2',
    "{'Resources': 'hunter2'}",
    '{"Resources": {"password": "hunter2\n"}}',
  ])('of JSON that is not whole nothing is quoted: %j', (text) => {
    const message = refusal(fileWith(text, 'template.json'));
    expect(message).toMatch(/template\.json: (?:not whole JSON \([A-Z][^"]+\);|not valid YAML)/);
    expect(message).not.toContain('hunter');
  });
  test('an empty path is one that is missing', () => {
    expect(refusal('')).toBe('a path is missing: one of those given is empty; give a file or a directory');
  });
  test('a byte order mark and ends of lines of Windows are read', () => {
    const text = readFileSync(join(byHand, 'kubernetes/stateful-set.yaml'), 'utf8');
    const { resources } = readPlanned([fileWith(`\uFEFF${text.replace(/\n/g, '\r\n')}`)]);
    expect(resources).toHaveLength(3);
  });
  test('conditions in a circle are unknown', () => {
    const text =
      'Conditions: { A: !Condition B, B: !Not [!Condition A] }\nResources:\n  V: { Type: AWS::EC2::Volume, Condition: A, Properties: { Size: !If [A, 1, 2] } }\n';
    const [volume] = only(readPlanned([fileWith(text)]).resources, 'volume');
    expect(volume?.asked.sizeGiB.known).toBe(false);
  });
  test('a file that is cut anywhere is read, or refused in one line', () => {
    const texts = [
      'terraform/two-volumes.json',
      'cloudformation/node-group.yaml',
      'kubernetes/classes-and-claim.yaml',
    ].map((name) => readFileSync(join(fixtures, name), 'utf8'));
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.double({ min: 0, max: 1, noNaN: true }), (text, part) => {
        expect(refusal(fileWith(text.slice(0, Math.floor(part * text.length))))).not.toContain('\n');
      }),
      { numRuns: 60 },
    );
  });
});
