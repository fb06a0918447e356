/** DuckDB is no part of stripewise: where it is missing, and that what is said of its version is what the tests run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadDuckDB } from '../../../adapters/archive/duckdb.ts';

const { devDependencies, peerDependencies } = JSON.parse(
  readFileSync(join(process.cwd(), 'package.json'), 'utf8'),
);

test('where it is not installed one line says what to install, and what works without', async () => {
  const error = await loadDuckDB('@duckdb/is-not-there').catch((failed) => failed);
  expect(error).toMatchObject({ name: 'BadInput' });
  expect(error.message).toBe(
    `this command asks DuckDB, which is not installed beside stripewise: run npm install @duckdb/node-api@${devDependencies['@duckdb/node-api']} there; \`history volume\` needs none`,
  );
});

test('a newer one may be installed than the tests run', () => {
  expect(peerDependencies['@duckdb/node-api']).toBe(`^${devDependencies['@duckdb/node-api']}`);
});
