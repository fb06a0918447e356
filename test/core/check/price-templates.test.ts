/** Volumes of what starts from launch templates. Prices of us-east-1: gp3 0.08 USD a GiB-month, m5.large 70.08 USD a month. */
import { checkSarif } from '../../../report/check/sarif.ts';
import { checked } from '../../fixtures/checked.ts';
import { change, group, instance, resourcesOfPlan, stays, template } from '../../fixtures/terraform-plans.ts';

const answerOf = (...changes: object[]) => checked(resourcesOfPlan(...changes), { region: 'us-east-1' });
const priceOf = (...changes: object[]) => {
  const { price } = answerOf(...changes);
  expect(price.notPriced).toEqual([]);
  return price;
};
const [web, other] = ['aws_launch_template.web', 'aws_launch_template.b'];
const ofB = { id: 'lt-0bbbbbbbbbbbbbbbb', name: 'b' };
const root = (gib: number, more = {}) => template({ '/dev/xvda': gib }, more);

describe('a group that moves to another launch template', () => {
  const moved = (copies: number) =>
    change('aws_autoscaling_group.g', group(copies), group(copies, { launch_template: [{ name: 'b' }] }));

  test('ten from 100 to 500 GiB: 10 x 400 x 0.08 = 320 USD', () => {
    const price = priceOf(stays(web, root(100)), stays(other, root(500, ofB)), moved(10));
    expect(price.volumesMonthlyUsdDifference).toBe(320);
    expect(price.resources.map((one) => [one.address, one.monthlyUsdDifference])).toEqual([
      [other, 400], // 10 x 500 x 0.08
      [web, -80],
    ]);
  });

  test('two to one of 200 GiB that is created, whether the other stays or goes: 2 x 100 x 0.08 = 16 USD', () => {
    const created = change(other, null, root(200, ofB));
    for (const old of [stays(web, root(100)), change(web, root(100), null)])
      expect(priceOf(old, created, moved(2)).volumesMonthlyUsdDifference).toBe(16);
  });
});

describe('a device of an instance goes before that of its launch template', () => {
  const from = { launch_template: [{ id: 'lt-0123456789abcdef0', version: '$Latest' }] };
  const address = 'aws_instance.i';

  test('created with a root of 500 GiB: 70.08 + 40 = 110.08 USD; with none of its own 70.08 + 8', () => {
    const own = change(address, null, instance(500, {}, from));
    expect(priceOf(stays(web, root(100)), own).monthlyUsdDifference).toBe(110.08);
    const none = change(address, null, instance(null, {}, from));
    expect(priceOf(stays(web, root(100)), none).monthlyUsdDifference).toBe(78.08);
  });

  test('deleted with its template: 70.08 + 8 = 78.08 USD less, once', () => {
    const deleted = change(address, instance(100, {}, from), null);
    expect(priceOf(change(web, root(100), null), deleted).monthlyUsdDifference).toBe(-78.08);
  });

  test('one that stands stays as it is when its template changes', () => {
    const changed = change(web, root(100), root(1000, { instance_type: 'm5.24xlarge' }));
    for (const gib of [100, null]) {
      const price = priceOf(changed, stays(address, instance(gib, {}, from)));
      expect(price).toMatchObject({ monthlyUsdDifference: 0, resources: [] });
    }
  });
});

describe('a group that names a version by its number', () => {
  const changed = change(web, root(100), root(1000, { instance_type: 'm5.24xlarge' }));
  const of = (copies: number, version: string) =>
    group(copies, { launch_template: [{ id: 'lt-0123456789abcdef0', version }] });

  test('does not change with its launch template; one of the latest does', () => {
    expect(priceOf(changed, stays('aws_autoscaling_group.g', of(10, '1'))).resources).toEqual([]);
    const latest = priceOf(changed, stays('aws_autoscaling_group.g', of(10, '$Latest')));
    expect(latest.volumesMonthlyUsdDifference).toBe(720); // 10 x 900 x 0.08
  });

  test('and grows is not priced: how the older version is nobody knows', () => {
    const grown = change('aws_autoscaling_group.g', of(10, '1'), of(12, '1'));
    const { resources, notPriced } = answerOf(changed, grown).price;
    expect(resources).toEqual([]);
    expect(notPriced).toMatchObject([
      { kind: 'volume', reason: { why: 'elsewhere' } },
      { kind: 'instance', reason: { why: 'elsewhere' } },
    ]);
  });
});

describe('findings of a launch template whose type something overrides', () => {
  const large = template(
    {},
    {
      block_device_mappings: [
        {
          device_name: '/dev/xvda',
          ebs: [{ volume_size: 1000, volume_type: 'gp3', iops: 40_000, throughput: 2000 }],
        },
      ],
    },
  );
  const overriding = (...types: string[]) => ({
    launch_template: [],
    mixed_instances_policy: [
      {
        launch_template: [
          {
            launch_template_specification: [{ launch_template_id: 'lt-0123456789abcdef0' }],
            override: types.map((instance_type) => ({ instance_type })),
          },
        ],
      },
    ],
  });
  const limited = (...changes: object[]) =>
    answerOf(change(web, null, large), ...changes).findings.filter(({ rule }) => rule === 'instance-limit');
  const of = (...types: string[]) => change('aws_autoscaling_group.g', null, group(2, overriding(...types)));

  test('none of m5.large, which never starts; alone, or with a group that takes its type, one', () => {
    expect(limited(of('m7i.48xlarge'))).toEqual([]);
    expect(limited()).toHaveLength(1);
    expect(limited(change('aws_autoscaling_group.g', null, group(2)))).toMatchObject([{ address: web }]);
  });

  test('of two types one each, which SARIF tells apart', () => {
    const answer = answerOf(change(web, null, large), of('m5.large', 'm6i.large'));
    const types = answer.findings.filter(({ rule }) => rule === 'instance-limit').map(({ facts }) => facts);
    expect(types).toMatchObject([
      { instance: { instanceType: 'm5.large' } },
      { instance: { instanceType: 'm6i.large' } },
    ]);
    const prints = [...JSON.stringify(checkSarif(answer, '1.0.0')).matchAll(/stripewiseCheck\/v1":"(\w+)/g)];
    expect(prints.length).toBe(answer.findings.length);
    expect(new Set(prints.map(([, print]) => print)).size).toBe(answer.findings.length);
  });
});
