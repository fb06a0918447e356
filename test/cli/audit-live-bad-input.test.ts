/** What an audit of the account cannot use: one line that says what, why, and what would be right. */
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { awsError } from '../adapters/aws/aws-error.ts';
import { expectOneLine } from './expect-one-line.ts';
import { liveAccount } from './live-account.ts';
import { runCli } from './run-cli.ts';

const account = liveAccount();

test('no Region anywhere', async () => {
  await expectOneLine(['audit'], /^stripewise: audit needs a Region: give --region us-east-1/);
});

test('no credentials anywhere', async () => {
  account.environment({ AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined });
  account.sts.restore();
  await expectOneLine(
    ['audit', '--region', 'us-east-1'],
    /^stripewise: AWS credentials cannot be used: .*\(sign in, give --profile, or audit files/,
  );
});

test('a profile that is not there', async () => {
  account.environment({ AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined });
  account.sts.restore();
  await expectOneLine(
    ['audit', '--region', 'us-east-1', '--profile', 'nobody'],
    /^stripewise: AWS credentials of profile "nobody" cannot be used: /,
  );
});

test('a profile that is not there, and no Region', async () => {
  await expectOneLine(['audit', '--profile', 'nobody'], /^stripewise: audit needs a Region/);
});

test.each(['ExpiredTokenException', 'InvalidClientTokenId'])(
  'credentials that AWS refuses: %s',
  async (name) => {
    account.sts.on(GetCallerIdentityCommand).rejects(awsError(name, 'The security token is not valid.', 403));
    await expectOneLine(
      ['audit', '--region', 'us-east-1'],
      /^stripewise: AWS credentials cannot be used: The security token is not valid\. \(sign in/,
    );
  },
);

test('an STS that fails for another reason is a failure, not bad input', async () => {
  account.sts.on(GetCallerIdentityCommand).rejects(awsError('InternalFailure', 'Broken', 500));
  const { code, err } = await runCli('audit', '--region', 'us-east-1');
  expect(err).toContain('sts:GetCallerIdentity failed: InternalFailure: Broken');
  expect(code).toBe(4);
});

test.each([
  [
    ['--region', 'us-east-1', '--volumes', 'v.json', '--metrics', 'm.json'],
    /--region is for an audit of the account/,
  ],
  [['--profile', 'p', '--recorded', 'd'], /--profile is for an audit of the account/],
  [['--lookback-days', '2', '--volumes', 'v.json'], /--lookback-days is for an audit of the account/],
  [['--period-seconds', '60', '--metrics', 'm.json'], /--period-seconds is for an audit of the account/],
  [['--until', '2026-11-20T00:00Z', '--recorded', 'd'], /--until is for an audit of the account/],
  [
    ['--region', 'us-east-1', '--lookback-days', '64'],
    /64 days are longer than CloudWatch keeps points of 300 s/,
  ],
  [['--region', 'us-east-1', '--lookback-days', '15.5', '--period-seconds', '60'], /\(15 days\)/],
  [['--region', 'us-east-1', '--lookback-days', '0'], /--lookback-days "0" cannot be 0/],
  [['--region', 'us-east-1', '--lookback-days', 'a week'], /--lookback-days "a week" is not a number/],
  [['--region', 'us-east-1', '--period-seconds', '90'], /a period of 90 s .*: ask for 60 or 300/],
  [['--region', 'us-east-1', '--until', 'yesterday'], /--until "yesterday" is not a time: give one like/],
  [['--region', 'us-east-1', '--until', '2026-11-20'], /--until "2026-11-20" is not a time/],
  [['--region', 'us-east-1', '--until', '2026-02-30T25:00Z'], /is not a time/],
  [['--region', 'us-east-1', '--until', '2026-02-30T00:00Z'], /"2026-02-30T00:00Z" is not a time/],
  [
    ['--region', 'us-east-1', '--until', '2026-01-01T00:00Z'],
    /2026-01-01T00:00:00Z and 14 days before it are longer ago/,
  ],
])('%j', async (options, line) => {
  await expectOneLine(['audit', ...options], line);
});

test('nothing of AWS is asked where the window is bad', async () => {
  await runCli('audit', '--region', 'us-east-1', '--lookback-days', '64');
  expect(account.sts.calls()).toHaveLength(0);
  expect(account.ec2.calls()).toHaveLength(0);
});
