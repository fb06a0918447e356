/** The page plans as the command line does: the same answer to the same question, and one line to what cannot be asked. */
import fc from 'fast-check';
import { builtInRegionCatalog } from '../../core/catalog/region-catalog.ts';
import { addressOf, hashOf, readState, usualState, writeState } from '../../planner/fragment.ts';
import { answerOf } from '../../planner/plan/plan-answer.ts';
import { marksOf } from '../../planner/plan/plan-rows.ts';
import { type PlanState, planFields } from '../../planner/plan/plan-state.ts';
import { withChoiceSteps, withWrittenSteps } from '../../report/steps/written-steps.ts';
import { cliJson, runCli } from '../cli/run-cli.ts';
import { anyPlanState as anyState } from './any-plan-state.ts';
import { planArguments } from './plan-arguments.ts';

const usual = usualState(planFields);
const stateOf = (part: Partial<PlanState>): PlanState => ({ ...usual, ...part });

/** What the page shows, as the command line prints it. */
function pageJson(state: PlanState): object {
  const answer = answerOf(state, builtInRegionCatalog);
  if (answer.kind === 'refused') throw new Error(answer.message);
  const document =
    answer.kind === 'choices'
      ? withChoiceSteps(answer.chosen, answer.request)
      : withWrittenSteps(answer.planned, answer.request);
  return JSON.parse(JSON.stringify(document));
}

describe('the answer of the page is that of stripewise plan --json', () => {
  const states = fc.sample(anyState, { numRuns: 60, seed: 20_261_128 });

  test('for 60 needs: options, choices, refusals, notes and steps', async () => {
    for (const state of states) expect(pageJson(state)).toEqual(await cliJson(...planArguments(state)));
  });

  test('the 60 needs are of every kind: options and choices, with and without an instance, refused and not', () => {
    const kinds = states.map((state) => {
      const answer = answerOf(state, builtInRegionCatalog);
      if (answer.kind !== 'options') return answer.kind;
      const isMet = answer.planned.options.length > 0 ? 'met' : 'not met';
      return `${isMet}, ${answer.request.constraints.instance === null ? 'volumes' : 'instance'}`;
    });
    expect([...new Set(kinds)].sort()).toEqual([
      'choices',
      ...['met, instance', 'met, volumes', 'not met, instance', 'not met, volumes'],
    ]);
  });

  test('the usual state is the usual command: nothing but IOPS and capacity', async () => {
    expect(pageJson(usual)).toEqual(await cliJson('plan', '--iops', '8000', '--capacity-gib', '1000'));
  });
});

describe('what cannot be asked is one line, in the words of the page', () => {
  test.each<[Partial<PlanState>, RegExp]>([
    [{ current: 'gp9:500' }, /^“Volumes today” "gp9:500" is not a layout: give \[raid10:/],
    [{ current: 'gp3:0' }, /size \(GiB\) 0 is not allowed/],
    [{ current: 'raid10:3xgp3:5' }, /^“Volumes today” "raid10:3xgp3:5": raid10 has 4 volumes or more/],
    [{ current: '999xgp3:5' }, /has 999 volumes: give 1 to 127/],
    [{ instance: 'type', instanceType: 'm5.3xlarge' }, /"m5.3xlarge" is not in the catalog of us-east-1/],
    [{ current: 'gp3:500', currentInstance: 'm5.' }, /"m5." is not in the catalog/],
  ])('%j', (part, line) => {
    const answer = answerOf(stateOf(part), builtInRegionCatalog);
    if (answer.kind !== 'refused') throw new Error('it is answered');
    expect(answer.message).toMatch(line);
    expect(answer.message).not.toMatch(/--[a-z]|\n/);
  });

  test('what belongs to another choice is not asked: an instance of before, a layout that is not there', async () => {
    const state = stateOf({ currentInstance: 'm5.huge', keepCurrent: 'yes', instanceType: 'm5.huge' });
    expect(pageJson(state)).toEqual(await cliJson(...planArguments(state)));
    expect((await runCli(...planArguments(state))).code).toBe(0);
  });
});

describe('the address', () => {
  test('says the whole state: what is written is read again', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        const params = new URLSearchParams();
        writeState('plan', planFields, state, params);
        const address = addressOf(`#${hashOf('plan', params)}`);
        const read = readState('plan', planFields, address?.params ?? new URLSearchParams());
        expect(read).toEqual({ state: { ...state, types: expect.anything() }, problems: [] });
        expect([...read.state.types].sort()).toEqual([...state.types].sort());
      }),
      { numRuns: 200, seed: 7 },
    );
  });

  test.each([
    ['iops', 'NaN'],
    ['iops', '-5'],
    ['iops', '1e9'],
    ['iops', '99999999'],
    ['iops', ''],
    ['readPercent', '101'],
    ['maxMembers', '2.5'],
    ['maxMembers', '128'],
    ['chunkKiB', '48'],
    ['stripePercent', '0'],
    ['types', 'gp3,gp9'],
    ['kinds', ''],
    ['current', '<img src=x>'],
    ['instanceType', 'm5.large"onload='],
    ['region', 'javascript:alert(1)'],
    ['steps', 'pulumi'],
  ])('%s %s: one line, and the usual value', (key, text) => {
    const { state, problems } = readState('plan', planFields, new URLSearchParams([[`plan.${key}`, text]]));
    expect(state).toEqual(usual);
    expect(problems).toEqual([expect.stringMatching(/^The link says [^\n]*usual value is used\.$/)]);
  });
});

test('simplest has the fewest volumes, safest loses data least; of several the cheapest', () => {
  const option = (members: number, annualFailureRate: number) => ({
    layout: { kind: 'stripe', volumeType: 'gp3', sizeGiB: 1, iops: 1, throughputMiBps: 1, members } as const,
    annualFailureRate,
  });
  expect(marksOf([option(4, 0.008), option(1, 0.002), option(1, 0.000_01), option(2, 0.000_01)])).toEqual([
    ['cheapest'],
    ['simplest'],
    ['safest'],
    [],
  ]);
  expect(marksOf([option(1, 0.002)])).toEqual([['cheapest', 'simplest', 'safest']]);
  expect(marksOf([])).toEqual([]);
});
