/** MiniStack as it is and with its patches, for one test file, and the small workflows that show a gap. */
import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import type { DescribeExecutionCommandOutput } from '@aws-sdk/client-sfn';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { type MiniStack, startMiniStack } from './ministack.ts';

export const bucket = 'map-data';
export const json = (value: unknown): string => JSON.stringify(value);

/**
 * Started before the tests of a file, stopped after them.
 * @param environment beside what every MiniStack here gets; read when they are started.
 */
export function twoMiniStacks(environment: () => Record<string, string> = () => ({})): {
  stock: MiniStack;
  patched: MiniStack;
} {
  const { path: directory } = temporaryDirectory();
  const servers = {} as { stock: MiniStack; patched: MiniStack };
  beforeAll(async () => {
    const more = environment();
    const started = [
      startMiniStack('none', directory, more),
      startMiniStack('all', directory, more),
    ] as const;
    const [stock, patched] = await Promise.all(started);
    Object.assign(servers, { stock, patched });
    for (const { s3 } of [stock, patched]) {
      await s3.send(new CreateBucketCommand({ Bucket: bucket }));
      for (const [Key, value] of [
        ['volumes.json', ['vol-a', 'vol-b', 'vol-c']],
        ['parts/1.json', 1],
        ['parts/2.json', 2],
      ] as const) {
        await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: json(value) }));
      }
    }
  }, 300_000);
  afterAll(() => Promise.all([servers.stock?.stop(), servers.patched?.stop()]));
  return servers;
}

export const outputOf = ({ status, output, error, cause }: DescribeExecutionCommandOutput): unknown => {
  if (status !== 'SUCCEEDED') throw new Error(`${status}: ${error} ${cause}`);
  return JSON.parse(output ?? 'null');
};

/** A workflow of one state. */
export const only = (state: object): object => ({ StartAt: 'The state', States: { 'The state': state } });

export const pass = (Output?: unknown): object => ({
  Type: 'Pass',
  ...(Output === undefined ? {} : { Output }),
  End: true,
});
