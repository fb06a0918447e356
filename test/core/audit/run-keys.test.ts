import { accountOfBatch, nameInFolder, runKeys, targetOfBatch } from '../../../core/audit/run-keys.ts';

test('the result of a batch has the name of the batch, in another folder', () => {
  const { batches, results } = runKeys('run-1');
  const batch = `${batches}111122223333-us-east-1-00001.json`;
  expect(batch).toBe('work/run-1/batches/111122223333-us-east-1-00001.json');
  expect(`${results}${nameInFolder(batch)}`).toBe('work/run-1/results/111122223333-us-east-1-00001.json');
});

test('what is kept for days and what is kept long lie apart', () => {
  const { batches, results, map, summary, findings, volumes } = runKeys('run-1');
  for (const key of [batches, results, map]) expect(key).toMatch(/^work\/run-1\//);
  for (const key of [summary, findings, volumes]) expect(key).toMatch(/^runs\/run-1\//);
});

test('a name without a folder is itself', () => {
  expect(nameInFolder('a.json')).toBe('a.json');
});

test('the batches of a target begin with its account and Region, and say them', () => {
  const name = '111122223333-us-gov-west-1-00012-0b1c2d3e-0000-4444-8888-00001-request.json';
  expect(
    `work/run-1/batches/${name}`.startsWith(runKeys('run-1').batchesOf('111122223333', 'us-gov-west-1')),
  ).toBe(true);
  expect(accountOfBatch(name)).toBe('111122223333');
  expect(targetOfBatch(name)).toBe('111122223333-us-gov-west-1');
});
