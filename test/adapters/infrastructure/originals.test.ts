/** What public files have, and a reader once missed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPlanned } from '../../../adapters/infrastructure/infrastructure.ts';
import { checkedOf } from '../../../core/check/checked.ts';
import { known } from '../../../core/known.ts';

let directory = '';
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'originals-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const planned = (text: string) => {
  const path = join(directory, 'given.yaml');
  writeFileSync(path, text);
  return readPlanned([path]);
};
const claims = (text: string) =>
  planned(text).resources.map((one) => (one.kind === 'claim' ? [one.address, one.copies] : []));
const template = 'metadata: { name: data }, spec: { resources: { requests: { storage: 2Gi } } }';

test('a node group names its launch template by Id, and has its tags as a map', () => {
  const { resources } = planned(
    'Resources:\n  T: { Type: AWS::EC2::LaunchTemplate }\n  N: { Type: AWS::EKS::Nodegroup, Properties: { LaunchTemplate: { Id: !Ref T }, Tags: { "stripewise:ignore": "credits known" } } }\n',
  );
  expect(resources[1]).toMatchObject({
    launchTemplate: { address: 'T', id: null },
    devices: [],
    ignoredRules: [{ rule: 'credits', reason: 'known' }],
  });
});
test('a launch template whose name only AWS knows is the one whose version is named', () => {
  const { resources } = planned(
    `Resources:\n  T: { Type: AWS::EC2::LaunchTemplate }\n  G: { Type: AWS::AutoScaling::AutoScalingGroup, Properties: { LaunchTemplate: { LaunchTemplateName: !Sub "\${AWS::StackName}", Version: !GetAtt T.LatestVersionNumber } } }\n`,
  );
  expect(resources[1]).toMatchObject({ launchTemplate: { address: 'T', id: null } });
});
test('types beside one with a launch template of its own are not those of the group: its volumes are other ones', () => {
  const { resources } = readPlanned(['test/fixtures/infrastructure/cloud-assemblies/mixed-groups']);
  const types = resources.map((one) => (one.kind === 'auto-scaling-group' ? one.instanceTypes : null));
  const own = { known: false, reason: { code: 'not-resolved', detail: 'LaunchTemplateSpecification' } };
  expect(types.filter((one) => one !== null && !one.known)).toEqual([own, own]);
});
test('a document or an item of a list without apiVersion and kind is counted', () => {
  const { coverage } = planned(
    'apiVersion: v1\nkind: List\nitems: [{ apiVersion: v1, kind: Service }, 3]\n---\nkind: 1\n---\n',
  );
  expect(coverage).toMatchObject({
    seen: 3,
    unknown: [
      { type: 'no apiVersion and kind', count: 2 },
      { type: 'Service', count: 1 },
    ],
  });
});
test.each([
  [
    'Elasticsearch',
    `nodeSets: [{ name: hot, count: 3, volumeClaimTemplates: [{ ${template} }] }]`,
    'hot/data',
    3,
  ],
  ['Logstash', `count: 2, volumeClaimTemplates: [{ ${template} }]`, 'data', 2],
  ['Prometheus', `replicas: 2, storage: { volumeClaimTemplate: { ${template} } }`, 'data', 2],
  [
    'CronJob',
    `jobTemplate: { spec: { parallelism: 4, template: { spec: { volumes: [{ name: data, ephemeral: { volumeClaimTemplate: { ${template} } } }] } } } }`,
    'data',
    4,
  ],
])('%s: a claim for each of its pods', (kind, spec, name, copies) => {
  expect(claims(`apiVersion: v1\nkind: ${kind}\nmetadata: { name: a }\nspec: { ${spec} }\n`)).toEqual([
    [`${kind}/a/${name}`, known(copies)],
  ]);
});
test('of a DaemonSet nobody knows how many', () => {
  const text = `apiVersion: apps/v1\nkind: DaemonSet\nmetadata: { name: a }\nspec: { template: { spec: { volumes: [{ name: data, ephemeral: { volumeClaimTemplate: { ${template} } } }] } } }\n`;
  expect(claims(text)).toMatchObject([['DaemonSet/a/data', { known: false }]]);
});
test('a volume that a state also has among the devices of its instance is one volume', () => {
  const all = readPlanned(['test/fixtures/infrastructure/terraform/attachment-that-stands.json']);
  const { volumes, hosts } = checkedOf(all, null);
  expect(volumes).toHaveLength(2); // the one of the image, and the attached one
  expect(hosts.map((host) => host.volumes.length)).toEqual([2]);
});
test('stacks without resources are read, and nested stacks are found by the asset manifest', () => {
  const { coverage } = readPlanned(['test/fixtures/infrastructure/cloud-assemblies/nested-stack']);
  // 3 of the stack, 3 of the nested one, none of that for assertions.
  expect(coverage).toMatchObject({ seen: 6, understood: 1, unreadable: [] });
});
