/** How instances are bought, and what stood: what a price hangs on. */
import { readPlanned } from '../../../adapters/infrastructure/infrastructure.ts';
import type { PlannedGroup, PlannedResource } from '../../../core/check/planned.ts';
import { known } from '../../../core/known.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();

let files = 0;
const read = (document: object): readonly PlannedResource[] =>
  readPlanned([directory.write(`${files++}.json`, JSON.stringify(document))], { unreadable: 'refuse' })
    .resources;

const change = (type: string, before: object | null, after: object) => ({
  ...{ address: `${type}.a`, type, name: 'a', mode: 'managed' },
  change: { actions: before === null ? ['create'] : ['update'], before, after, after_unknown: {} },
});
const ofPlan = (...changes: object[]) => read({ format_version: '1.2', resource_changes: changes });
const ofTemplate = (Type: string, Properties: object) => read({ Resources: { A: { Type, Properties } } });
const isSpotOf = ([first]: readonly PlannedResource[]) =>
  first !== undefined && 'isSpot' in first ? first.isSpot : null;

test('Spot is read of instances, launch templates, launch configurations, node groups and mixed policies', () => {
  const market = [{ market_type: 'spot' }];
  const policy = (share: number | null) => ({
    mixed_instances_policy: [
      { instances_distribution: [{ on_demand_percentage_above_base_capacity: share }], launch_template: [] },
    ],
  });
  const spots = [
    ofPlan(change('aws_instance', null, { instance_type: 'm5.large', instance_market_options: market })),
    ofPlan(change('aws_launch_template', null, { instance_market_options: market })),
    ofPlan(change('aws_launch_configuration', null, { spot_price: '0.05' })),
    ofPlan(change('aws_eks_node_group', null, { capacity_type: 'SPOT' })),
    ofPlan(change('aws_autoscaling_group', null, policy(50))),
    ofTemplate('AWS::EC2::LaunchTemplate', {
      LaunchTemplateData: { InstanceMarketOptions: { MarketType: 'spot' } },
    }),
    ofTemplate('AWS::AutoScaling::LaunchConfiguration', { SpotPrice: '0.05' }),
    ofTemplate('AWS::EKS::Nodegroup', { CapacityType: 'SPOT' }),
    ofTemplate('AWS::AutoScaling::AutoScalingGroup', {
      MixedInstancesPolicy: { InstancesDistribution: { OnDemandPercentageAboveBaseCapacity: 0 } },
    }),
  ];
  expect(spots.map(isSpotOf)).toEqual(spots.map(() => known(true)));
  expect(isSpotOf(ofPlan(change('aws_autoscaling_group', null, policy(null))))).toEqual(known(false)); // all on demand
  expect(isSpotOf(ofPlan(change('aws_instance', null, { instance_type: 'm5.large' })))).toEqual(known(null));
});

test('of a group that changes its plan has what stood; types that AWS chooses are not known', () => {
  const overriding = (...override: object[]) => ({
    mixed_instances_policy: [{ launch_template: [{ override }] }],
    desired_capacity: 2,
  });
  const [m5, c5] = [{ instance_type: 'm5.large' }, { instance_type: 'c5.large' }];
  const [group] = ofPlan(change('aws_autoscaling_group', overriding(m5), overriding(c5))) as PlannedGroup[];
  expect([group?.before?.instanceTypes, group?.instanceTypes]).toEqual([
    known(['m5.large']),
    known(['c5.large']),
  ]);
  const required = overriding({ instance_requirements: [{ vcpu_count: [{ min: 2 }] }] });
  const [chosen] = ofPlan(change('aws_autoscaling_group', null, required)) as PlannedGroup[];
  expect(chosen?.instanceTypes).toMatchObject({ known: false, reason: { code: 'not-resolved' } });
});
