/** The steps to the options of a plan, as they are printed. */
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { plan } from '../../../core/plan/plan.ts';
import { planAnswerSchema } from '../../../core/schemas/plan-answer.ts';
import { withWrittenSteps, writtenSteps } from '../../../report/steps/written-steps.ts';
import { aRequest, rates } from '../../core/plan/requests.ts';
import { gp2 } from '../../core/plan/steps/layouts.ts';

const regionCatalog = builtInRegionCatalog('us-east-1');
test('every option has its steps, in the Region and at the chunk of the plan', () => {
  const request = aRequest(rates(15_000, 625, 1_000), { chunkKiB: 256 });
  const planned = plan(request, regionCatalog);
  const answer = withWrittenSteps(planned, request);
  expect(planAnswerSchema.strict().parse(answer)).toEqual(answer);
  expect(answer.options.length).toBeGreaterThan(1);
  for (const [i, { layout, steps }] of answer.options.entries()) {
    expect(steps).toMatchObject(planned.options[i]?.steps ?? {});
    const options = { region: 'us-east-1', deployment: 'region', chunkKiB: 256 } as const;
    expect(steps).toMatchObject(writtenSteps(layout, null, options));
  }
  expect(answer.options[0]?.steps.awsCli.join()).toContain('-I 256k');
});

test('what stands today is where they begin', () => {
  const volumeIds = ['vol-0123456789abcdef0'];
  const request = { ...aRequest(rates(3_000, 125, 500)), current: { layout: gp2(), volumeIds } };
  const [first] = withWrittenSteps(plan(request, regionCatalog), request).options;
  expect(first?.steps).toMatchObject({ inPlace: true, route: 'modify' });
  expect(first?.steps.awsCli).toContain(
    'aws ec2 modify-volume --region us-east-1 --volume-id vol-0123456789abcdef0 --volume-type gp3 --size 500 --iops 3000 --throughput 125',
  );
});

test('the instance that it is planned for comes first, with its architecture', () => {
  const request = aRequest(rates(3_000, 125, 500), { instance: { instanceType: 'm7g.2xlarge' } });
  const [first] = withWrittenSteps(plan(request, regionCatalog), request).options;
  const text = 'The volumes are planned for an instance of type m7g.2xlarge (arm64).';
  expect(first?.steps.awsCli[0]).toMatch(
    new RegExp(`^# ${text.replace(/[().]/g, '\\$&')} Take the type first`),
  );
  expect(first?.steps.cdk).toMatch(
    /^\/\/ The volumes are planned for an instance of type m7g\.2xlarge \(arm64\)\.\n/,
  );
  expect(first?.steps.terraform).toMatch(/^# The volumes are planned .*\n# One volume: gp3/);
});

test('what becomes less is said in every form', () => {
  const request = { ...aRequest(rates(3_000, 125, 500)), current: { layout: gp2(), volumeIds: [] } };
  const [first] = withWrittenSteps(plan(request, regionCatalog), request).options;
  // gp2 of 500 GiB has 250 MiB/s.
  const text = 'Less than what is there: 250 -> 125 MiB/s.';
  expect(first?.steps.awsCli).toContain(`# ${text}`);
  expect(first?.steps.cdk.split('\n')[1]).toBe(`// ${text}`);
  expect(first?.steps.terraform.split('\n')[1]).toBe(`# ${text}`);
  const bigger = { ...aRequest(rates(3_000, 250, 500)), current: { layout: gp2(), volumeIds: [] } };
  const [kept] = withWrittenSteps(plan(bigger, regionCatalog), bigger).options;
  for (const text of [kept?.steps.awsCli.join(), kept?.steps.cdk, kept?.steps.terraform])
    expect(text).not.toContain('Less than what is there');
});
