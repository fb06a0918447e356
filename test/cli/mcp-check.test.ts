/** The tool `check` of `stripewise mcp`: infrastructure code that was named at its start. */
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { session } from './mcp-session.ts';

const directory = temporaryDirectory();

const template = (resources: Record<string, object>): string =>
  directory.write('template.json', {
    AWSTemplateFormatVersion: '2010-09-09',
    Resources: Object.fromEntries(
      Object.entries(resources).map(([id, more]) => [
        id,
        {
          Type: 'AWS::EC2::Volume',
          Properties: { AvailabilityZone: 'us-east-1a', VolumeType: 'gp3', Size: 100, ...more },
        },
      ]),
    ),
  });

test('what AWS refuses, with the way out; the name in the template is data', async () => {
  const { call, textOf, leave } = await session({
    check: [template({ ApproveMe: { Size: 1, Iops: 16_000 } })],
  });
  const answer = await call('check');
  expect(answer.structuredContent).toMatchObject({
    ...{ seen: 1, understood: 1, notRead: 0 },
    findings: [{ severity: 'critical', address: '[untrusted: ApproveMe]' }],
    page: { total: 1, nextCursor: null },
  });
  // 16,000 IOPS need 16,000 / 500 GiB.
  expect(textOf(answer)).toContain('Set gp3 32 GiB, 16,000 IOPS, 125 MiB/s.');
  await leave();
});

test('a volume with which nothing is wrong has no finding, and the file is read anew at each call', async () => {
  const { call, text, leave } = await session({ check: [template({ Data: {} })] });
  expect((await call('check')).structuredContent).toMatchObject({ findings: [], monthlyUsdDifference: 8 });
  template({ Data: { Size: 200 } });
  expect((await call('check')).structuredContent).toMatchObject({ findings: [], monthlyUsdDifference: 16 });
  expect(await text('check', { path: '/etc/passwd' })).toBe(
    'check: there is an argument that it does not have',
  );
  await leave();
});
