/** How many claims a workload makes at once. */
import { readPlanned } from '../../../adapters/infrastructure/infrastructure.ts';
import { known } from '../../../core/known.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();
let files = 0;
const copiesOf = (kind: string, spec: object) => {
  const object = { apiVersion: 'v1', kind, metadata: { name: 'a' }, spec };
  const [claim] = readPlanned([directory.write(`${files++}.json`, object)]).resources;
  return claim?.kind === 'claim' ? claim.copies : null;
};
const claim = { spec: { resources: { requests: { storage: '10Gi' } } } };

test.each([
  ['Prometheus', { replicas: 2, shards: 3 }, 6], // 2 x 3
  ['PrometheusAgent', { replicas: 2, shards: 3 }, 6],
  ['Prometheus', { shards: 3 }, 3], // 1 x 3
  ['Prometheus', { replicas: 2 }, 2],
  ['Prometheus', { replicas: 0, shards: 3 }, 0],
  ['Alertmanager', { replicas: 2, shards: 3 }, 2], // it has no shards
])('%s of %j has %d', (kind, said, copies) => {
  expect(copiesOf(kind, { ...said, storage: { volumeClaimTemplate: claim } })).toEqual(known(copies));
});

const job = (said: object) => ({
  ...said,
  template: { spec: { volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate: claim } }] } },
});
test.each([
  [{}, 1],
  [{ parallelism: 50 }, 50],
  [{ completions: 8 }, 1], // one after the other
  [{ parallelism: 50, completions: 1 }, 1],
  [{ parallelism: 3, completions: 8 }, 3],
  [{ parallelism: 0, completions: 8 }, 0], // held
])('a Job of %j has %d pods at once', (said, copies) => {
  expect(copiesOf('Job', job(said))).toEqual(known(copies));
  expect(copiesOf('CronJob', { jobTemplate: { spec: job(said) } })).toEqual(known(copies));
});

test('a count that is not known makes the product unknown', () => {
  const storage = { volumeClaimTemplate: claim };
  for (const said of [
    { replicas: 2, shards: 'several' },
    { replicas: '$(COUNT)', shards: 2 },
  ])
    expect(copiesOf('Prometheus', { ...said, storage })).toMatchObject({ known: false });
  expect(copiesOf('Job', job({ parallelism: 2, completions: 'all' }))).toMatchObject({ known: false });
});
