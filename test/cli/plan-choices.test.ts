/** `plan --current-instance` for people and for machines, and what it says to a line that it cannot use. */
import { planChoicesSchema } from '../../core/schemas/plan-choices.ts';
import { expectOneLine } from './expect-one-line.ts';
import { cliJson, runCli } from './run-cli.ts';

const asked = 'plan --iops 20000 --current gp2:500 --current-instance r6i.2xlarge'.split(' ');

async function text(...more: string[]): Promise<string> {
  const { code, out, err } = await runCli(...asked, ...more);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

test('one table, a reason a row, and the next step', async () => {
  const out = await text();
  expect(out).toMatch(/^Needed: 20,000 IOPS and 312\.5 MiB\/s, 500 GiB;/);
  expect(out).toMatch(
    /\nToday: one gp2 of 500 GiB on r6i\.2xlarge, .* 417\.92 USD a month with the instance\..* not enough\.\n/,
  );
  expect(out).toMatch(
    /│ 1 │ volume in place: gp3 500 GiB │ 20,000 IOPS .* │ 567\.60 USD .* │ restart .* │ simplest │/,
  );
  expect(out).toMatch(
    /\n {2}1\. The least disruptive that is enough; 2 costs 92\.20 USD a month less, by a migration\.\n/,
  );
  expect(out).toMatch(/\n {2}4\. Not enough: the limit is the instance’s IOPS\.\n/);
  expect(out).toMatch(/40,000 IOPS and 1,192 MiB\/s, promised for 30 minutes in 24 h/);
  expect(out).not.toMatch(/NaN|null|undefined/);
  const rows = out.split('\n').filter((one) => one.startsWith('│'));
  expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(120);
});

test('a price that is not known is not a number', async () => {
  const out = await text('--region', 'eu-west-3');
  expect(out).toMatch(/What it costs with the instance is unknown\./);
  expect(out).toMatch(/│ unknown {2,}│/);
  expect(out).not.toMatch(/NaN|null|undefined/);
});

test('the document', async () => {
  const answer = planChoicesSchema.parse(await cliJson(...asked));
  expect(answer.choices.map(({ instanceType }) => instanceType)).toContain('r5b.2xlarge');
});

test('the steps: the instance first, then the volume', async () => {
  const lines = (await text('--steps', 'cli')).split('\n');
  const at = (part: string): number => lines.findIndex((line) => line.includes(part));
  expect(
    at(
      'aws ec2 modify-instance-attribute --region us-east-1 --instance-id <instance-id> --instance-type Value=r5b.2xlarge',
    ),
  ).toBeGreaterThan(at('aws ec2 wait instance-stopped'));
  expect(at('aws ec2 modify-volume')).toBeGreaterThan(at('aws ec2 wait instance-running'));
  expect(await text('--steps', 'terraform')).toMatch(
    /# In the definition of the instance, set instance_type to r5b\.2xlarge/,
  );
  expect(await text('--steps', 'cdk', '--option', '5')).toMatch(
    /set instanceType to r6i\.4xlarge.*\n\/\/ The volumes stay as they are\./,
  );
});

test.each([
  [
    ['plan', '--iops', '9000', '--current-instance', 'm5.large'],
    /--current-instance is what the --current layout/,
  ],
  [[...asked, '--vcpus', '8'], /--current-instance compares instance types by itself/],
  [[...asked, '--instance-type', 'm5.large'], /--current-instance compares instance types by itself/],
  [[...asked, '--option', '9'], /--option "9" is not there: give 1 to 5/],
  [
    ['plan', '--iops', '9000', '--current', 'gp3:500', '--current-instance', 'm5.huge'],
    /"m5\.huge" is not in the catalog/,
  ],
])('one line for %j', async (line, says) => {
  await expectOneLine(line, says);
});
