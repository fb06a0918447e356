/** The CDK app: `cdk deploy`, with `-c config=FILE` for another configuration. */
import { join } from 'node:path';
import { BadConfig, stripewiseApp } from '../lib/app.ts';

const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
try {
  stripewiseApp({
    root: join(import.meta.dirname, '..'),
    env: account === undefined || region === undefined ? {} : { account, region },
  });
} catch (error) {
  if (!(error instanceof BadConfig)) throw error;
  process.stderr.write(`stripewise: ${error.message}\n`);
  process.exitCode = 2;
}
