/** Reading what other services recommend: one function may, where the configuration says so, and nothing else differs. */
import { idOf, patience, type Synthesized, synthesized } from './synthesized.ts';

let silent: Synthesized;
let comparing: Synthesized;
let comparingOne: Synthesized;
beforeAll(async () => {
  [silent, comparing, comparingOne] = await Promise.all([
    synthesized('usual'),
    synthesized('comparing'),
    synthesized('comparingOne'),
  ]);
}, patience);

const discover = (of: Synthesized) =>
  of.one('AWS::Lambda::Function', 'AuditDiscoverVolumesFunction').Properties;

const recommendationActions = (of: Synthesized): string[] =>
  of
    .statementsOf(idOf(discover(of)['Role']))
    .flatMap(({ Action, Resource }) => Action.map((action) => `${action} on ${Resource.join()}`))
    .filter((text) => /^(compute-optimizer|cost-optimization-hub):/.test(text));

test('discover-volumes may read recommendations of what is compared, and of nothing else', () => {
  expect(recommendationActions(comparing)).toEqual([
    'compute-optimizer:GetEBSVolumeRecommendations on *',
    'cost-optimization-hub:GetRecommendation on *',
    'cost-optimization-hub:ListRecommendations on *',
  ]);
  expect(recommendationActions(comparingOne)).toEqual(['compute-optimizer:GetEBSVolumeRecommendations on *']);
});

test('by default nobody may', () => {
  expect(JSON.stringify(silent.json)).not.toMatch(/compute-optimizer|cost-optimization-hub|COMPARE_WITH/);
});

test('nothing of the stack differs but that function and what it may do', () => {
  const differing = Object.keys(comparing.json.Resources).filter(
    (id) => JSON.stringify(comparing.json.Resources[id]) !== JSON.stringify(silent.json.Resources[id]),
  );
  expect(Object.keys(comparing.json.Resources)).toEqual(Object.keys(silent.json.Resources));
  for (const id of differing) expect(id).toMatch(/^AuditDiscoverVolumes|Version|Alias|Workflow|StateMachine/);
});
