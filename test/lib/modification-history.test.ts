/** How long modifications took: read where runs evaluate from an archive, by one function, and nowhere else. */
import { idOf, patience, synthesized } from './synthesized.ts';

const action = 'ec2:DescribeVolumesModifications';

test(
  'discover-volumes may read it where there is an archive, on its own account',
  async () => {
    const stack = await synthesized('archive');
    const role = idOf(stack.one('AWS::Lambda::Function', 'AuditDiscoverVolumesFunction').Properties['Role']);
    const own = stack.statementsOf(role).filter(({ Action }) => Action.includes(action));
    expect(own).toEqual([expect.objectContaining({ Effect: 'Allow', Resource: ['*'] })]);
    expect(JSON.stringify(stack.json).split(action)).toHaveLength(2);
  },
  patience,
);

test.each(['usual', 'organization', 'comparing'] as const)(
  'without an archive nobody may: %s',
  async (configuration) => {
    expect(JSON.stringify((await synthesized(configuration)).json)).not.toContain(action);
  },
  patience,
);
