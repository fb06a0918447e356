/** The CDK app: `cdk deploy`, with `-c config=FILE` for another configuration. */
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { readConfig } from '../lib/config.ts';
import { StripewiseStack } from '../lib/stripewise-stack.ts';

const root = join(import.meta.dirname, '..');
const app = new App({ context: { root } });
const configFile = (app.node.tryGetContext('config') as string | undefined) ?? join(root, 'stripewise.yaml');
const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
new StripewiseStack(app, 'Stripewise', {
  config: readConfig(configFile),
  env: account === undefined || region === undefined ? {} : { account, region },
});
