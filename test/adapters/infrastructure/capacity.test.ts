/** How many instances a group has whose capacity counts something else. */
import { readPlanned } from '../../../adapters/infrastructure/infrastructure.ts';
import type { PlannedGroup } from '../../../core/check/planned.ts';
import { known, unknown } from '../../../core/known.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';
import { change, group, resourcesOfPlan } from '../../fixtures/terraform-plans.ts';

const directory = temporaryDirectory();
const notResolved = (detail: string) => unknown({ code: 'not-resolved' as const, detail });

const policy = (weights: readonly (string | null)[]) => ({
  launch_template: [],
  mixed_instances_policy: [
    {
      launch_template: [
        {
          override: weights.map((weighted_capacity) => ({ instance_type: 'm5.2xlarge', weighted_capacity })),
        },
      ],
    },
  ],
});

const ofPlan = (capacity: number, more: object) =>
  (
    resourcesOfPlan(change('aws_autoscaling_group.g', null, group(capacity, { ...more }))) as PlannedGroup[]
  )[0]?.copies;

test('8 units of weight 4 are 2 instances, 9 are 3; without weights 8 are 8', () => {
  expect(ofPlan(8, policy(['4']))).toEqual(known(2)); // 8 / 4
  expect(ofPlan(9, policy(['4', '4']))).toEqual(known(3)); // 9 / 4 = 2.25, rounded up
  expect(ofPlan(8, policy([null, null]))).toEqual(known(8));
  expect(ofPlan(8, {})).toEqual(known(8));
});

test('of several weights, virtual CPUs or memory nobody knows how many; of none there are none', () => {
  expect(ofPlan(8, policy(['4', '8']))).toEqual(notResolved('weighted capacity'));
  expect(ofPlan(80, { desired_capacity_type: 'vcpu' })).toEqual(notResolved('vcpu'));
  expect(ofPlan(80, { desired_capacity_type: 'memory-mib' })).toEqual(notResolved('memory-mib'));
  expect(ofPlan(8, { desired_capacity_type: 'units' })).toEqual(known(8));
  expect(ofPlan(0, policy(['4', '8']))).toEqual(known(0));
});

test('CloudFormation counts alike', () => {
  const copiesOf = (Properties: object) => {
    const template = { Resources: { G: { Type: 'AWS::AutoScaling::AutoScalingGroup', Properties } } };
    const file = directory.write('template.json', JSON.stringify(template));
    return (readPlanned([file], { unreadable: 'refuse' }).resources as PlannedGroup[])[0]?.copies;
  };
  const Overrides = [{ InstanceType: 'm5.2xlarge', WeightedCapacity: '4' }];
  const MixedInstancesPolicy = { LaunchTemplate: { Overrides } };
  expect(copiesOf({ MinSize: '1', DesiredCapacity: '8', MixedInstancesPolicy })).toEqual(known(2)); // 8 / 4
  expect(copiesOf({ DesiredCapacity: '80', DesiredCapacityType: 'vcpu' })).toEqual(notResolved('vcpu'));
});
