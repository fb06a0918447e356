/** `bench start`, `status` and `report` on an account: what is asked of it, what is reported, and the exit codes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import { type CellEnd, campaignReport } from '../../core/benchmark/campaign/campaign-report.ts';
import { awsError } from '../adapters/aws/aws-error.ts';
import { aCampaign, anEnd, aResult } from '../core/benchmark/campaign/campaigns.ts';
import { aRequest } from '../core/benchmark/campaign/requests.ts';
import { dataInPage } from '../fixtures/page-parts.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { deployedStack, stateMachineArn } from './deployed-stack.ts';
import { expectOneLine } from './expect-one-line.ts';
import { cliJson, runCli } from './run-cli.ts';

const directory = temporaryDirectory();
const stack = deployedStack();
const { cloudFormation, s3 } = stack;
const states = mockClient(SFNClient);
const cellId = 'stripe-m1-large';
const here = ['--region', 'us-east-1'];

beforeEach(() => {
  states.reset();
});

const ended = (status: string, error?: string, cause?: string) =>
  states.on(DescribeExecutionCommand).resolves({ status: status as never, error, cause });

/** As the workflow stores it. */
function reported(end: Partial<CellEnd> = {}): void {
  const result = aResult('r1', 16, 12_000, 2);
  const measured = new Map([[cellId, [{ runId: 'r1', result }]]]);
  stack.objects['campaigns/c1/report.json'] = campaignReport(
    aCampaign(),
    [anEnd(cellId, end)],
    measured,
    '2026-11-22T12:30:00Z',
  );
}

describe('start', () => {
  const request = aRequest({ instanceTypes: ['m5.large'] });
  const file = () => directory.write('request.json', request);

  test('an execution with the request, and how it can be followed', async () => {
    states.on(StartExecutionCommand).resolves({});
    const { code, out, err } = await runCli('bench', 'start', file(), ...here, '--no-wait');
    expect([code, out]).toEqual([0, '']);
    expect(err).toMatch(
      /^campaign bench-20261120-123456 has begun: about \d+ minutes and 0\.0\d USD\. It goes on without this command; `stripewise bench status bench-20261120-123456` tells how far it is\.$/,
    );
    const [call] = states.commandCalls(StartExecutionCommand);
    expect(call?.args[0].input).toEqual({
      ...{ stateMachineArn, name: 'bench-20261120-123456' },
      input: JSON.stringify(request),
    });
  });

  test('waited for, its report is printed', async () => {
    states.on(StartExecutionCommand).resolves({});
    ended('SUCCEEDED');
    reported();
    const { code, out } = await runCli('bench', 'start', file(), ...here, '--name', 'c1');
    expect(code).toBe(0);
    expect(out).toMatch(/^Campaign c1: /);
  });

  test('a name that is taken', async () => {
    states.on(StartExecutionCommand).rejects(new ExecutionAlreadyExists({ message: '', $metadata: {} }));
    await expectOneLine(
      ['bench', 'start', file(), ...here, '--name', 'c1'],
      /there is a campaign c1 already: give another --name$/,
    );
  });

  test('a name that is none starts nothing', async () => {
    await expectOneLine(
      ['bench', 'start', file(), ...here, '--name', '../c1'],
      /"\.\.\/c1" is no name of a campaign: give letters, digits, hyphens and underscores, 64 at most$/,
    );
    expect(states.commandCalls(StartExecutionCommand)).toEqual([]);
  });

  test('what costs more than its ceiling starts nothing', async () => {
    const costly = directory.write('costly.json', { ...request, ceilingUsd: 0.001 });
    await expectOneLine(['bench', 'start', costly, ...here], /above the ceiling of 0\.00 USD/);
    expect(states.commandCalls(StartExecutionCommand)).toEqual([]);
  });

  test.each<[string, () => void, RegExp]>([
    [
      'no stack',
      () => cloudFormation.on(DescribeStacksCommand).rejects(awsError('ValidationError', 'none')),
      /there is no stack Stripewise-Bench in us-east-1: put a section benchmark into the configuration/,
    ],
    [
      'no benchmark',
      () => cloudFormation.on(DescribeStacksCommand).resolves({ Stacks: [] }),
      /is no benchmark of stripewise, or was not deployed to its end/,
    ],
  ])('%s', async (_, arrange, line) => {
    arrange();
    await expectOneLine(['bench', 'start', file(), ...here], line);
  });
});

describe('status', () => {
  test('the newest campaigns', async () => {
    const executions = [{ name: 'c1', status: 'RUNNING', startDate: new Date('2026-11-22T12:00:00Z') }];
    states.on(ListExecutionsCommand).resolves({ executions: executions as never });
    const { out } = await runCli('bench', 'status', ...here);
    expect(out).toBe('c1  RUNNING  2026-11-22T12:00:00.000Z');
    expect(await cliJson('bench', 'status', ...here)).toMatchObject({ campaigns: [{ campaignId: 'c1' }] });
  });

  test('none yet', async () => {
    states.on(ListExecutionsCommand).resolves({ executions: [] });
    expect((await runCli('bench', 'status', ...here)).out).toBe(
      'There is no campaign yet. `bench plan` makes one.',
    );
  });

  test('of one, what each host is at', async () => {
    ended('RUNNING');
    const step = { code: 'measure-load', inFlight: 16, runId: 'r1' };
    const parameters = JSON.stringify({
      Payload: { cellId, commandsDone: 1, command: { step } },
    });
    const events = [{ taskScheduledEventDetails: { parameters } }];
    states.on(GetExecutionHistoryCommand).resolves({ events: events as never });
    const { out } = await runCli('bench', 'status', 'c1', ...here);
    expect(out).toBe(`c1: RUNNING\n${cellId}: measure 16 operations in flight (r1)`);
    expect(await cliJson('bench', 'status', 'c1', ...here)).toMatchObject({
      ...{ campaignId: 'c1', status: 'RUNNING', error: null },
      cells: [{ cellId, step }],
    });
  });

  test('of one that is not there', async () => {
    states.on(DescribeExecutionCommand).rejects(new ExecutionDoesNotExist({ message: '', $metadata: {} }));
    await expectOneLine(
      ['bench', 'status', 'c1', ...here],
      /there is no campaign c1 in us-east-1 \(of the last 90 days\): `bench status` lists them$/,
    );
  });
});

describe('report', () => {
  const report = (...argv: string[]) => runCli('bench', 'report', 'c1', ...here, ...argv);

  test('as the campaign made it: 0', async () => {
    ended('SUCCEEDED');
    reported();
    const { code, out, err } = await report();
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/│ stripe-m1-large │ stripe +│ measured │/);
    expect(JSON.parse((await report('--json')).out)).toEqual(stack.objects['campaigns/c1/report.json']);
  });

  test('of one that failed before its report it is made of what hosts wrote, and says why', async () => {
    ended('FAILED', 'Throttled', '{"errorMessage":"s3:PutObject failed: slow"}');
    stack.objects['campaigns/c1/campaign.json'] = aCampaign();
    stack.objects[`campaigns/c1/results/${cellId}/r1.json`] = aResult('r1', 16, 12_000, 2);
    const { code, out, err } = await report();
    expect(err).toBe('campaign c1 ended as FAILED: Throttled: s3:PutObject failed: slow');
    expect(out).toMatch(/^Campaign c1: unknown by list prices/);
    expect(code).toBe(0);
  });

  test('as a page, beside what is printed', async () => {
    ended('SUCCEEDED');
    reported();
    const file = join(directory.path, 'card.html');
    const { code, out, err } = await report('--html', file, '--json');
    expect([code, JSON.parse(out)]).toEqual([0, stack.objects['campaigns/c1/report.json']]);
    expect(err).toMatch(/^wrote .*\/card\.html \(\d+ tests?, [\d.]+ .iB\): open it in a browser$/);
    expect(dataInPage(readFileSync(file, 'utf8'))).toMatchObject({
      title: 'Campaign c1',
      campaign: { campaignId: 'c1' },
    });
  });

  test('of one without a report there is no page', async () => {
    ended('FAILED', 'BadInput', '{"errorMessage":"no"}');
    const file = join(directory.path, 'none.html');
    const { code } = await report('--html', file);
    expect(code).toBe(4);
    expect(readdirSync(directory.path).filter((name) => name.startsWith('none.html'))).toEqual([]);
  });

  test('where one cell of two was measured: 3', async () => {
    ended('SUCCEEDED');
    reported();
    const whole = stack.objects['campaigns/c1/report.json'] as { cells: object[] };
    const [cell] = whole.cells;
    const failure = { step: 'Launch its host', error: 'NoCapacity', message: 'full' };
    stack.objects['campaigns/c1/report.json'] = {
      ...whole,
      cells: [cell, { ...cell, id: 'one-m1-large', status: 'failed', failure }],
    };
    const { code, out } = await report();
    expect(code).toBe(3);
    expect(out).toMatch(/\none-m1-large failed: Launch its host: NoCapacity: full\.\n/);
  });

  test('where nothing was measured: 4', async () => {
    ended('FAILED', 'NothingMeasured', 'no cell was measured to its end');
    reported({ failure: { step: 'Run it on the host', error: 'HostLost', message: 'gone' } });
    const { code, err } = await report();
    expect(code).toBe(4);
    expect(err).toBe('campaign c1 ended as FAILED: NothingMeasured: no cell was measured to its end');
  });

  test('of one that was refused there is none: why, and 4', async () => {
    ended('FAILED', 'BadInput', '{"errorMessage":"m9.large is not known in us-east-1"}');
    const { code, out, err } = await report();
    expect([code, out]).toEqual([4, '']);
    expect(err).toBe('campaign c1 ended as FAILED: BadInput: m9.large is not known in us-east-1');
  });

  test('of one that succeeded long ago it may be gone', async () => {
    ended('SUCCEEDED');
    const { code, err } = await report();
    expect([code, err]).toEqual([4, 'campaign c1 has no report any more']);
  });

  test('what may not be read is one line', async () => {
    ended('SUCCEEDED');
    s3.on(ListObjectsV2Command).rejects(awsError('AccessDenied', 'No.', 403));
    const { code, err } = await report();
    expect(err).toMatch(/s3:ListBucket of campaigns\/c1\/report\.json failed: AccessDenied: No\.$/);
    expect(err.split('\n')).toHaveLength(1);
    expect(code).not.toBe(0);
  });
});
