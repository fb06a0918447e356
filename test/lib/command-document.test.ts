/** Documents put together from their files, and what is refused. */
import { join } from 'node:path';
import { stringify } from 'yaml';
import { commandDocument } from '../../lib/shared/command-document.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();
let count = 0;
const reads = (path: string): string => `. "\${0%/*}/${path}"`;

const name = {
  ...{ type: 'String', description: 'What it is called.', interpolationType: 'ENV_VAR' },
  allowedPattern: '^[a-z]{1,15}$',
};
const step = { action: 'aws:runShellScript', name: 'build', inputs: { timeoutSeconds: '60' } };
const yaml = (more: object = {}): string => stringify({ schemaVersion: '2.2', mainSteps: [step], ...more });
const withParameter = (more: object): Record<string, string> => ({
  'document.yaml': yaml({ parameters: { name: { ...name, ...more } } }),
});

/** A checkout with the document `build`. Files are named below it. */
function checkout(files: Record<string, string> = {}): string {
  const root = `checkout-${count++}`;
  for (const [path, text] of Object.entries({
    'document.yaml': yaml(),
    'build.sh': '#!/bin/sh\ntrue\n',
    ...files,
  }))
    directory.write(join(root, 'ssm-documents/build', path), text);
  return join(directory.path, root);
}
const made = (files?: Record<string, string>) => commandDocument(checkout(files), 'build');
const lines = (files?: Record<string, string>): string[] => made(files).mainSteps[0].inputs.runCommand;

test('without parameters and files to read it is the script, line by line, and nothing beside', () => {
  const script = '#!/bin/sh\n# Builds.\nset -u\n\nprintf \'%s\\n\' "$0"\n';
  expect(`${lines({ 'build.sh': script }).join('\n')}\n`).toBe(script);
});

test('what else the document says stays as it is written', () => {
  expect(made({ 'document.yaml': yaml({ description: 'Builds.' }) })).toEqual({
    ...{ schemaVersion: '2.2', description: 'Builds.' },
    mainSteps: [{ ...step, inputs: { timeoutSeconds: '60', runCommand: ['#!/bin/sh', 'true'] } }],
  });
});

test('each parameter has its fallback for agents that splice, before all else', () => {
  const parameters = { name, chunkKiB: { ...name, allowedPattern: '^[0-9]+$', default: '64' } };
  expect(lines({ 'document.yaml': yaml({ parameters }) })).toEqual([
    '#!/bin/sh',
    expect.stringMatching(/^# Agents before 3\.3\.2746\.0 /),
    `[ -n "\${SSM_name+x}" ] || SSM_name='{{ name }}'`,
    `[ -n "\${SSM_chunkKiB+x}" ] || SSM_chunkKiB='{{ chunkKiB }}'`,
    'true',
  ]);
});

test('what the script reads stands in the place of the line that reads it', () => {
  const found = lines({
    'build.sh': [
      '#!/bin/sh',
      'before=1',
      '# shellcheck source=../shared/steps.sh',
      reads('../shared/steps.sh'),
      reads('layout.sh'),
      'after=1\n',
    ].join('\n'),
    '../shared/steps.sh': '# Steps.\nsay() { printf \'%s$&\\n\' "$*"; }\n',
    'layout.sh': '# Layout.\n\n',
  });
  const steps = ['# Steps.', `say() { printf '%s$&\\n' "$*"; }`];
  expect(found).toEqual(['#!/bin/sh', 'before=1', ...steps, '# Layout.', 'after=1']);
});

test('what a file reads that is read stands there too', () => {
  const found = lines({
    'build.sh': ['#!/bin/sh', reads('../shared/all.sh'), 'after=1\n'].join('\n'),
    '../shared/all.sh': `# All.\n${reads('../shared/steps.sh')}\n${reads('../shared/load.sh')}\n`,
    '../shared/steps.sh': 'steps=1\n',
    '../shared/load.sh': 'load=1\n',
  });
  expect(found).toEqual(['#!/bin/sh', '# All.', 'steps=1', 'load=1', 'after=1']);
});

test.each<[string, Record<string, string>, string]>([
  ['a schema of another version', { 'document.yaml': yaml({ schemaVersion: '1.2' }) }, 'schemaVersion'],
  ['two steps', { 'document.yaml': yaml({ mainSteps: [step, step] }) }, 'mainSteps'],
  ['no step', { 'document.yaml': yaml({ mainSteps: [] }) }, 'mainSteps'],
  [
    'a step that runs no shell',
    { 'document.yaml': yaml({ mainSteps: [{ ...step, action: 'aws:runPowerShellScript' }] }) },
    'mainSteps[0].action',
  ],
  ['a parameter that is a list', withParameter({ type: 'StringList' }), 'parameters.name.type'],
  [
    'a parameter that nobody describes',
    withParameter({ description: undefined }),
    'parameters.name.description',
  ],
  [
    'a parameter without a pattern',
    withParameter({ allowedPattern: undefined }),
    'parameters.name.allowedPattern',
  ],
  [
    'a parameter that every agent splices',
    withParameter({ interpolationType: undefined }),
    'interpolationType',
  ],
  [
    'a pattern that would let a shell run something',
    withParameter({ allowedPattern: '^.*$' }),
    'parameter name: allowedPattern ^.*$: "." lets',
  ],
  [
    'a default that its pattern does not take',
    withParameter({ default: 'DATA' }),
    'parameter name: its default "DATA" does not match ^[a-z]{1,15}$',
  ],
  [
    'a name that is no part of a variable',
    { 'document.yaml': yaml({ parameters: { 'chunk-size': name } }) },
    'parameter chunk-size: a name is letters and digits',
  ],
  [
    'a parameter that there is not',
    { ...withParameter({}), 'build.sh': '#!/bin/sh\necho "$SSM_name" "$SSM_layout"\n' },
    'the script uses SSM_layout, and layout is no parameter',
  ],
  ['a script of another shell', { 'build.sh': '#!/bin/bash\ntrue\n' }, 'and begins with #!/bin/bash'],
  [
    'a value in the text',
    { 'build.sh': '#!/bin/sh\necho {{name}}\n' },
    'an agent may put a value into "echo {{name}}"',
  ],
  [
    'a value in what is read',
    { 'build.sh': `#!/bin/sh\n${reads('x.sh')}\n`, 'x.sh': "echo '{{ other }}'\n" },
    'an agent may put a value into',
  ],
  [
    'a file that is not there',
    { 'build.sh': `#!/bin/sh\n${reads('x.sh')}\n` },
    'reads x.sh, which is not there',
  ],
  [
    'a file twice',
    { 'build.sh': `#!/bin/sh\n${reads('x.sh')}\n${reads('x.sh')}\n`, 'x.sh': 'true\n' },
    'the script reads x.sh twice',
  ],
  [
    'a script as a file to read',
    { 'build.sh': `#!/bin/sh\n${reads('x.sh')}\n`, 'x.sh': '#!/bin/sh\ntrue\n' },
    'x.sh, which is a script of its own',
  ],
  ['a file of the host', { 'build.sh': '#!/bin/sh\n. /etc/os-release\n' }, 'what ". /etc/os-release" reads'],
  [
    'a file that is read in a condition',
    { 'build.sh': `#!/bin/sh\ntrue && ${reads('x.sh')}\n` },
    'cannot be put there',
  ],
  [
    'files that read each other',
    {
      'build.sh': `#!/bin/sh\n${reads('x.sh')}\n`,
      ...{ 'x.sh': `${reads('y.sh')}\n`, 'y.sh': `${reads('x.sh')}\n` },
    },
    'reads x.sh twice',
  ],
  ['64 KB', { 'build.sh': `#!/bin/sh\n# ${'x'.repeat(65_536)}\n` }, 'and must have less than 65536'],
])('%s: refused, and said of which document', (_, files, reason) => {
  expect(() => made(files)).toThrow(reason);
  expect(() => made(files)).toThrow('ssm-documents/build: ');
});

test('one byte less than 64 KB is taken', () => {
  const ofLength = (length: number) => made({ 'build.sh': `#!/bin/sh\n# ${'x'.repeat(length)}\n` });
  const around = JSON.stringify(ofLength(1)).length - 1;
  expect(JSON.stringify(ofLength(65_535 - around))).toHaveLength(65_535);
  expect(() => ofLength(65_536 - around)).toThrow('it has 65536 bytes');
});
