/** What agents, older and newer, make of documents; and that a document of ours runs alike with both. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { commandDocument } from '../../../lib/shared/command-document.ts';
import { agentScript, type Passing } from '../../../local/lab/agent-script.ts';
import { temporaryDirectory } from '../../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();

const variable = { type: 'String', interpolationType: 'ENV_VAR' };
const withInputs = (inputs: object, parameters: object = { name: variable }) =>
  JSON.stringify({ schemaVersion: '2.2', parameters, mainSteps: [{ action: 'aws:runShellScript', inputs }] });

test('a newer agent leaves the text and sets a variable for each parameter', () => {
  const document = withInputs({ runCommand: ['#!/bin/sh', 'echo "$SSM_name" {{ name }}'] });
  expect(agentScript(document, { name: 'data' }, 'environment')).toEqual({
    script: '#!/bin/sh\necho "$SSM_name" {{ name }}\n',
    environment: { SSM_name: 'data' },
    timeoutSeconds: 3_600,
  });
});

test('an older agent puts values where names stand in braces, and sets no variable', () => {
  const runCommand = ['echo {{name}} {{ name }}{{  name}} {{ toString }} {name} {{ name', '}}'];
  expect(agentScript(withInputs({ runCommand }), { name: "a$&'b" }, 'spliced')).toEqual({
    script: "echo a$&'b a$&'ba$&'b {{ toString }} {name} {{ name\n}}\n",
    environment: {},
    timeoutSeconds: 3_600,
  });
});

test('a value is not looked at again: braces in it stay', () => {
  const document = withInputs({ runCommand: ['{{ a }}{{ b }}'] }, { a: variable, b: variable });
  expect(agentScript(document, { a: '{{ b }}', b: '{{ a }}' }, 'spliced').script).toBe('{{ b }}{{ a }}\n');
});

test('a parameter that is no variable is spliced by every agent', () => {
  const document = withInputs(
    { runCommand: ['echo {{ name }} {{ text }}'] },
    { name: variable, text: { type: 'String' } },
  );
  expect(agentScript(document, { name: 'data', text: 'hello' }, 'environment')).toMatchObject({
    script: 'echo {{ name }} hello\n',
    environment: { SSM_name: 'data' },
  });
});

test.each<[inputs: object, seconds: number]>([
  [{}, 3_600],
  [{ timeoutSeconds: '120' }, 120],
  [{ timeoutSeconds: 120 }, 120],
  [{ timeoutSeconds: '{{ name }}' }, 900],
  [{ timeoutSeconds: '{{name}}' }, 900],
  [{ timeoutSeconds: '120.9' }, 120],
  // From 5 s to 48 h.
  [{ timeoutSeconds: '4' }, 3_600],
  [{ timeoutSeconds: '5' }, 5],
  [{ timeoutSeconds: '172800' }, 172_800],
  [{ timeoutSeconds: '172801' }, 3_600],
  [{ timeoutSeconds: 'long' }, 3_600],
])('%j gives it %d s, with both', (inputs, seconds) => {
  for (const passing of ['environment', 'spliced'] as const) {
    const { timeoutSeconds } = agentScript(
      withInputs({ runCommand: [], ...inputs }),
      { name: '900' },
      passing,
    );
    expect(timeoutSeconds).toBe(seconds);
  }
});

test('several steps, or a step that runs no shell, are none of ours', () => {
  const step = { action: 'aws:runShellScript', inputs: { runCommand: [] } };
  expect(() => agentScript(JSON.stringify({ mainSteps: [step, step] }), {}, 'spliced')).toThrow('mainSteps');
  const other = { ...step, action: 'aws:runPowerShellScript' };
  expect(() => agentScript(JSON.stringify({ mainSteps: [other] }), {}, 'spliced')).toThrow('action');
});

test.each<Passing>(['environment', 'spliced'])('a document of ours has its parameters: %s', (passing) => {
  const parameter = { ...variable, description: 'One.', allowedPattern: '^[a-z/]*$' };
  directory.write('ssm-documents/build/document.yaml', {
    schemaVersion: '2.2',
    parameters: { name: parameter, mountPoint: parameter, none: parameter },
    mainSteps: [{ action: 'aws:runShellScript', name: 'build', inputs: {} }],
  });
  const text = '#!/bin/sh\nset -u\nprintf "%s|" "$SSM_name" "$SSM_mountPoint" "$SSM_none"\n';
  directory.write(join('ssm-documents/build', 'build.sh'), text);
  const document = JSON.stringify(commandDocument(directory.path, 'build'));
  const values = { name: 'data', mountPoint: '/srv/data', none: '' };
  const { script, environment } = agentScript(document, values, passing);
  const { stdout, stderr } = spawnSync('sh', [], { input: script, env: environment, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['data|/srv/data||', '']);
});
