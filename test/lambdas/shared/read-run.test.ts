/** A run that was written in parts is read as one result again. */
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { RunStore } from '../../../adapters/aws/run-store.ts';
import { envSchema } from '../../../lambdas/notify-findings/env.ts';
import { environmentOf } from '../../../lambdas/shared/powertools.ts';
import { readRun } from '../../../lambdas/shared/read-run.ts';
import { aResult } from '../../fixtures/findings.ts';
import { aWholeFinding } from '../../fixtures/whole-findings.ts';

const s3 = mockClient(S3Client);
const store = new RunStore(new S3Client({ region: 'us-east-1' }), 'bucket');

test('summary, findings and volumes together are the result that was collected', async () => {
  const { findings, volumes, ...summary } = aResult([aWholeFinding({ id: 'a' }), aWholeFinding({ id: 'b' })]);
  const lines = (values: object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
  const objects: Record<string, string> = {
    // The summary on S3 counts the findings, which lie beside it.
    'runs/run-1/summary.json': JSON.stringify({ ...summary, partial: false, findings: 2 }),
    'runs/run-1/findings.jsonl': lines(findings),
    'runs/run-1/volumes.jsonl': lines(volumes),
  };
  s3.on(GetObjectCommand).callsFake(({ Key }) => ({
    Body: { transformToString: async () => objects[Key] },
  }));
  expect(await readRun(store, 'run-1')).toEqual({ ...summary, findings, volumes });
});

test('the environment is read by its contract when it is first needed, and a wrong one is said', () => {
  const before = { ...process.env };
  const right = {
    BUCKET: 'b',
    FINDINGS_TABLE: 't',
    TOPIC_ARN: 'a',
    DELIVERIES_QUEUE_ARN: 'q',
    CHANNEL_NEEDS: '{"slack":"webhookUrl","mail":null}',
    CHANNEL_SECRETS_ARN: 's',
    MIN_SEVERITY: 'warning',
    RETENTION_DAYS: '90',
    AUDIT_EVERY_HOURS: '24',
    REPORT_URL: '',
    LINK_KEY_SECRET_ARN: '',
    LINK_DAYS: '30',
  };
  const env = environmentOf(envSchema);
  try {
    Object.assign(process.env, { ...right, MIN_SEVERITY: 'severe' });
    expect(env).toThrow(/MIN_SEVERITY/);
    Object.assign(process.env, right);
    const numbers = { RETENTION_DAYS: 90, AUDIT_EVERY_HOURS: 24, LINK_DAYS: 30 };
    const needs = { slack: 'webhookUrl', mail: null };
    expect(env()).toEqual({ ...right, ...numbers, CHANNEL_NEEDS: needs });
    Object.assign(process.env, { BUCKET: 'another' });
    expect(env().BUCKET).toBe('b');
  } finally {
    for (const name of Object.keys(right)) delete process.env[name];
    Object.assign(process.env, before);
  }
});
