/** One file for who has no Node: the same commands, without a PATH. */
import { join } from 'node:path';
import { build, describeEachCommand } from './run-form.ts';

const file = join(__dirname, '../../dist/single/stripewise');

beforeAll(() => {
  build('build-single');
});

describeEachCommand(() => [file]);
