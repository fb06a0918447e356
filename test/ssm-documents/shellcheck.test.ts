/** Scripts that run on hosts are clean by ShellCheck, and it would say so if they were not. */
import { join } from 'node:path';
import { hostScripts, shellcheckFindings } from '../../tools/script-findings.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const root = join(__dirname, '../..');
const directory = temporaryDirectory();

test('it finds nothing, hints about style neither', async () => {
  const scripts = hostScripts(root);
  expect(scripts).toContain('ssm-documents/describe-stripes/describe-stripes.sh');
  expect(await shellcheckFindings(root, scripts)).toEqual([]);
}, 180_000);

test('it would find a variable without quotes, and a word that no plain sh knows', async () => {
  const script = directory.write('bad.sh', '#!/bin/sh\nrm $1\n[[ -e x ]]\n');
  expect(await shellcheckFindings(root, [script])).toEqual([
    expect.stringMatching(/^shellcheck SC2086 \(info\): .* at .*bad\.sh:2:4$/),
    expect.stringMatching(/^shellcheck SC3010 \(warning\): .* at .*bad\.sh:3:1$/),
  ]);
}, 180_000);

test('what a script reads is looked at with it, once, and not on its own', async () => {
  directory.write('ssm-documents/shared/steps.sh', 'say() { echo "$document: $1"; }\nrm $2\n');
  const script = [
    '#!/bin/sh',
    'document=one',
    '# shellcheck source=../shared/steps.sh',
    `. "\${0%/*}/../shared/steps.sh"`,
    'say "$SSM_name"\n',
  ].join('\n');
  for (const name of ['one', 'other']) directory.write(`ssm-documents/${name}/${name}.sh`, script);
  const scripts = hostScripts(directory.path);
  expect(scripts).toEqual(['ssm-documents/one/one.sh', 'ssm-documents/other/other.sh']);
  const paths = scripts.map((path) => join(directory.path, path));
  // `document` is known there, and a parameter comes with the document.
  expect(await shellcheckFindings(root, paths)).toEqual([
    expect.stringMatching(/^shellcheck SC2086 .*ssm-documents\/shared\/steps\.sh:2:4$/),
  ]);
}, 180_000);

test('nothing to look at, or a file that is not there, is no clean script', async () => {
  await expect(shellcheckFindings(root, [])).rejects.toThrow('there is no script to look at');
  await expect(shellcheckFindings(root, ['/nowhere/x.sh'])).rejects.toThrow(/shellcheck failed: .*nowhere/);
}, 180_000);
