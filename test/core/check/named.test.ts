/** Who names whom: names within one plan, ids of AWS in all files, and never one of several. */
import type { PlannedLaunchTemplate, PlannedResource } from '../../../core/check/planned.ts';
import { checked } from '../../fixtures/checked.ts';
import { aClaim, aGroup, anInstance, aStorageClass, aTemplate, aVolume } from '../../fixtures/planned.ts';

const inPlan = <T extends PlannedResource>(scope: string, resource: T): T => ({
  ...resource,
  scope,
  file: scope,
});
const named = (id: string) => ({ launchTemplate: { address: null, id } });
const web = (type: string, more: Partial<PlannedLaunchTemplate> = {}) =>
  aTemplate(type, { name: 'web', ...more });
const usdOf = (...resources: PlannedResource[]) => {
  const { monthlyUsdDifference, notPriced } = checked(resources).price;
  return notPriced.length === 0 ? monthlyUsdDifference : null;
};

describe('a launch template by name', () => {
  const group = inPlan('a.json', aGroup(1, named('web')));

  test('is that of its own plan, whatever another plan calls "web"', () => {
    const [large, xlarge] = [inPlan('a.json', web('m5.large')), inPlan('b.json', web('m5.xlarge'))];
    expect(usdOf(large, xlarge, group)).toBe(70.08);
    expect(usdOf(xlarge, large, group)).toBe(70.08);
    // Its own plan has none.
    expect(usdOf(xlarge, group)).toBeNull();
  });

  test('is none where two of one plan have the name', () => {
    const other = web('m5.xlarge', { address: 'aws_launch_template.other' });
    expect(usdOf(inPlan('a.json', web('m5.large')), inPlan('a.json', other), group)).toBeNull();
  });
});

describe('an id of AWS', () => {
  const id = 'lt-0123456789abcdef0';
  const stands = (scope: string, type: string) =>
    inPlan(scope, aTemplate(type, { action: 'none', launchTemplateId: id }));
  const group = inPlan('a.json', aGroup(1, named(id)));

  test('is looked up in other files; of two that have it neither is meant, but that of its own plan', () => {
    expect(usdOf(stands('b.json', 'm5.large'), group)).toBe(70.08);
    expect(usdOf(stands('b.json', 'm5.large'), stands('c.json', 'm5.xlarge'), group)).toBeNull();
    expect(usdOf(stands('a.json', 'm5.large'), stands('b.json', 'm5.xlarge'), group)).toBe(70.08);
  });

  test('of an instance puts a volume of another file on it; a name like it does not', () => {
    const instanceId = 'i-0123456789abcdef0';
    const instance = inPlan('b.json', anInstance('m5.large', [], { action: 'none', instanceId }));
    const volume = inPlan('a.json', aVolume({ type: 'gp3', gib: 500, iops: 30_000 }));
    const attached = (to: string): PlannedResource => ({
      ...{ ...volume, kind: 'attachment' as const, type: 'aws_volume_attachment', address: 'attachment' },
      ...{ volume: { address: volume.address, id: null }, instance: { address: null, id: to }, device: null },
    });
    const rulesWith = (to: string) =>
      checked([instance, volume, attached(to)]).findings.map(({ rule }) => rule);
    expect(rulesWith(instanceId)).toContain('unused-performance');
    expect(rulesWith('i-0aaaaaaaaaaaaaaaa')).not.toContain('unused-performance');
  });
});

describe('a storage class', () => {
  const ofClaim = (...resources: PlannedResource[]) => checked(resources).price.monthlyUsdDifference;

  test('is one of its own scope; of two alike it is either, of two that differ none', () => {
    const [gp3, io2] = [aStorageClass({ type: 'gp3' }), aStorageClass({ type: 'io2', iops: 5_000 })];
    expect(ofClaim(gp3, aClaim(100))).toBe(8); // 100 x 0.08
    expect(ofClaim(gp3, inPlan('plan.json', { ...gp3, file: 'other.yaml' }), aClaim(100))).toBe(8);
    expect(ofClaim(gp3, io2, aClaim(100))).toBe(0);
    expect(checked([gp3, io2, aClaim(100)]).price.notPriced).toHaveLength(1);
    expect(checked([inPlan('elsewhere', gp3), aClaim(100)]).price.notPriced).toHaveLength(1);
  });
});
