/** What devices and claims of a plan cost that come, go or grow. Prices of us-east-1: gp3 0.08 USD a GiB-month. */
import { checked } from '../../fixtures/checked.ts';
import { change, group, instance, resourcesOfPlan, stays, template } from '../../fixtures/terraform-plans.ts';

const lt = 'aws_launch_template.web';
const replaced = { actions: ['delete', 'create'] };
const priceOf = (...changes: object[]) => {
  const { volumesMonthlyUsdDifference, resources, notPriced } = checked(resourcesOfPlan(...changes), {
    region: 'us-east-1',
  }).price;
  expect(notPriced).toEqual([]);
  const lines = resources.map((one) => [one.device, one.action, one.monthlyUsdDifference]);
  return { usd: volumesMonthlyUsdDifference, lines };
};

describe('a device that comes or goes', () => {
  const [small, large] = [{ '/dev/xvda': 100 }, { '/dev/xvda': 100, '/dev/sdf': 1000 }];

  test('added to the launch template of ten instances: 10 x 1,000 x 0.08 = 800 USD', () => {
    const group10 = stays('aws_autoscaling_group.g', group(10));
    expect(priceOf(change(lt, template(small), template(large)), group10)).toEqual({
      usd: 800,
      lines: [['/dev/sdf', 'create', 800]],
    });
  });

  test('removed from the launch template of two: 2 x 1,000 x 0.08 = 160 USD less', () => {
    const group2 = stays('aws_autoscaling_group.g', group(2));
    expect(priceOf(change(lt, template(large), template(small)), group2)).toEqual({
      usd: -160,
      lines: [['/dev/sdf', 'delete', -160]],
    });
  });

  const data = { '/dev/sdf': 1000 };
  test('of an instance that is replaced: added 80, removed -80 USD; another name for twice the size 160 - 80', () => {
    const of = (before: object, after: object) =>
      priceOf(change('aws_instance.i', { ...before }, { ...after }, replaced));
    expect(of(instance(100), instance(100, data)).usd).toBe(80);
    expect(of(instance(100, data), instance(100)).usd).toBe(-80);
    expect(of(instance(100, data), instance(100, { '/dev/sdg': 2000 })).lines).toEqual([
      ['/dev/sdg', 'create', 160],
      ['/dev/sdf', 'delete', -80],
    ]);
    expect(of(instance(100, data), instance(100, data))).toEqual({ usd: 0, lines: [] });
  });

  test('a list that is known after the apply has lost none, nor has one whose volume is kept', () => {
    const unknown = { ...replaced, after_unknown: { ebs_block_device: true } };
    const { ebs_block_device: _, ...later } = instance(100);
    const kept = instance(
      100,
      {},
      {
        ebs_block_device: [
          { device_name: '/dev/sdf', volume_size: 1000, volume_type: 'gp3', delete_on_termination: false },
        ],
      },
    );
    expect(priceOf(change('aws_instance.i', instance(100, data), later, unknown)).usd).toBe(0);
    expect(priceOf(change('aws_instance.i', kept, instance(100), replaced)).usd).toBe(0);
  });
});

describe('a claim of Terraform', () => {
  const fast = stays('kubernetes_storage_class_v1.fast', {
    metadata: [{ name: 'fast' }],
    storage_provisioner: 'ebs.csi.aws.com',
    parameters: { type: 'gp3' },
  });
  const claim = (storage: string) => ({
    metadata: [{ name: 'data', namespace: 'db' }],
    spec: [{ storage_class_name: 'fast', resources: [{ requests: { storage } }] }],
  });
  const address = 'kubernetes_persistent_volume_claim_v1.d';

  test('100 -> 2,000 GiB: 1,900 x 0.08 = 152 USD; as it was: nothing', () => {
    expect(priceOf(fast, change(address, claim('100Gi'), claim('2000Gi'))).usd).toBe(152);
    expect(priceOf(fast, stays(address, claim('100Gi'))).usd).toBe(0);
  });

  test('deleted: 100 x 0.08 = 8 USD less', () => {
    expect(priceOf(fast, change(address, claim('100Gi'), null)).usd).toBe(-8);
  });
});
