/**
 * npm run generate:catalog [-- --from-account]
 *
 * Writes core/catalog/instance-types.json from what ec2:DescribeInstanceTypes answers: of the local EC2 (moto's copy
 * of AWS's answer), or of the account that the environment names. Writes nothing where anything is missing or
 * contradicts itself.
 */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EC2Client } from '@aws-sdk/client-ec2';
import { describeInstanceTypes } from '../adapters/aws/describe-instance-types.ts';
import { contradictions, overdue } from '../core/catalog/contradictions.ts';
import {
  type InstanceTypes,
  instanceTypesSchema,
  overrides,
  withOverrides,
} from '../core/catalog/instance-types.ts';
import type { LeftOutType } from '../core/schemas/audit-notice.ts';
import { freePort, plainEnvironment, startProcess } from '../local/processes.ts';
import { ensurePython } from '../local/python.ts';
import { localAccount, localRegion } from '../local/services.ts';
import { contradictionText } from '../report/wording/catalog.ts';

const root = join(import.meta.dirname, '..');
const target = join(root, 'core/catalog/instance-types.json');
/** AWS has more than a thousand types: fewer means that the answer was cut. */
const minTypes = 1_000;

type Read = Omit<InstanceTypes, 'asOf'> & { leftOut: LeftOutType[] };

async function fromLocalEc2(): Promise<Read> {
  const python = await ensurePython({ root, say: (line) => console.error(line) });
  const directory = mkdtempSync(join(tmpdir(), 'stripewise-catalog-'));
  const port = await freePort();
  const ec2 = await startProcess({
    command: python,
    args: [join(root, 'local/ec2/serve.py'), '--port', `${port}`, '--account', localAccount],
    env: plainEnvironment(),
    readyUrl: `http://127.0.0.1:${port}/_stripewise/ready`,
    logFile: join(directory, 'ec2.log'),
    onSpawn: () => {},
  });
  try {
    const client = new EC2Client({
      endpoint: `http://127.0.0.1:${port}`,
      region: localRegion,
      credentials: { accessKeyId: localAccount, secretAccessKey: 'test' },
    });
    const read = await describeInstanceTypes(client, localRegion);
    return { source: 'ec2:DescribeInstanceTypes as moto 5.2.5 recorded it', ...read };
  } finally {
    await ec2.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function fromAccount(): Promise<Read> {
  const client = new EC2Client({});
  const region = await client.config.region();
  const read = await describeInstanceTypes(client, region);
  return { source: `ec2:DescribeInstanceTypes in ${region}`, ...read };
}

/** One type a line, so that a difference reads as what it is. */
const asText = ({ asOf, source, types }: InstanceTypes): string =>
  [
    `{ "asOf": ${JSON.stringify(asOf)}, "source": ${JSON.stringify(source)}, "types": [`,
    types.map((row) => `  ${JSON.stringify(row)}`).join(',\n'),
    '] }\n',
  ].join('\n');

const { values } = parseArgs({ options: { 'from-account': { type: 'boolean', default: false } } });
const read = values['from-account'] ? await fromAccount() : await fromLocalEc2();
const asOf = new Date().toISOString().slice(0, 10);
const catalog = instanceTypesSchema.parse({ asOf, ...read });
const trouble = [
  ...read.leftOut.map((type) => `not as expected: ${JSON.stringify(type)}`),
  ...(catalog.types.length < minTypes ? [`only ${catalog.types.length} types came`] : []),
  ...contradictions(withOverrides(catalog, overrides)).map(contradictionText),
  ...overdue(overrides, asOf).map(
    ({ instanceType, reason, recheckBy }) => `${instanceType}: recheck since ${recheckBy} (${reason})`,
  ),
];
if (trouble.length > 0) {
  for (const line of trouble) console.error(`generate:catalog: ${line}`);
  console.error('generate:catalog: nothing was written');
  process.exitCode = 1;
} else {
  writeFileSync(`${target}.new`, asText(catalog));
  renameSync(`${target}.new`, target);
  const known = catalog.types.filter(({ ebs }) => ebs !== null).length;
  console.log(`${catalog.types.length} types, EBS limits of ${known}: ${target}`);
}
