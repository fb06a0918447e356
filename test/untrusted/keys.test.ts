/** Keys in S3 and in the memory of what was reported: no text of an account or of an event leads out of its folder. */
import { S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { RunStore } from '../../adapters/aws/run-store.ts';
import { nameInFolder, runKeys } from '../../core/audit/run-keys.ts';
import { findingId } from '../../core/diagnosis/draft.ts';
import { placeSchema } from '../../core/schemas/batch.ts';
import { targetSchema } from '../../lambdas/collect-findings/targets.ts';
import { runRequestSchema } from '../../lambdas/list-targets/list-targets.ts';
import { storedCatalog } from '../../lambdas/shared/stored-catalog.ts';
import { onVolume } from '../fixtures/findings.ts';
import { untrustedText } from '../fixtures/untrusted-text.ts';

const place = { account: '111122223333', region: 'us-east-1' };
const rest = { apiCalls: 1, incomplete: [] };
const s3 = mockClient(S3Client);
const store = new RunStore(new S3Client({ region: 'us-east-1' }), 'bucket');

test('a place that is none is refused by every step that makes a key of it, and nothing is looked for', async () => {
  expect(targetSchema.safeParse({ ...place, ...rest }).success).toBe(true);
  await fc.assert(
    fc.asyncProperty(untrustedText, async (text) => {
      for (const wrong of [{ account: text }, { region: text }, { region: `us-east-1/${text}` }]) {
        expect(placeSchema.safeParse({ ...place, ...wrong }).success).toBe(false);
        expect(targetSchema.safeParse({ ...place, ...rest, ...wrong }).success).toBe(false);
      }
      expect(targetSchema.safeParse({ region: text, failure: {} }).success).toBe(false);
      expect(runRequestSchema.safeParse({ regions: [text] }).success).toBe(false);
      expect(await storedCatalog(store, text)).toBeNull();
      expect(s3.calls()).toEqual([]);
    }),
  );
});

test('a finding is remembered under a hash, and the result of a batch lies in the folder of its run', () => {
  fc.assert(
    fc.property(untrustedText, (text) => {
      const resource = onVolume(text, { region: text, account: text, name: text });
      expect(findingId('stalled', resource)).toMatch(/^[0-9a-f]{16}$/);
      const { results } = runKeys('run-1');
      const key = `${results}${nameInFolder(`work/run-1/batches/${text}`)}`;
      expect(key.slice(results.length)).not.toContain('/');
    }),
  );
});
