/** Which strings of core are prose: what a person reads is found, codes, commands and errors are not. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exemptPaths, isExempt, proseIn } from '../../tools/prose-findings.ts';

const found = (source: string) => proseIn('core/some.ts', source).map(({ text }) => text);

test.each([
  ['a literal', "const a = 'it reached the limit often';", ['it reached the limit often']],
  ['a template', `const a = \`it wanted \${n} IOPS at most\`;`, ['it wanted … IOPS at most']],
  ['pieces that are added', "const a = 'it reached ' + n + ' of its limit';", ['it reached … of its limit']],
  ['pieces that are joined', "const a = ['it reached', 'its limit'].join(' ');", ['it reached its limit']],
  [
    'a choice within a text',
    `const a = \`it is \${x ? 'slow' : 'fast enough'} now\`;`,
    ['it is slow fast enough now'],
  ],
  ['a text within a call', "note('look again after the change')", ['look again after the change']],
])('%s of four words is prose', (_, source, texts) => {
  expect(found(source)).toEqual(texts);
});

test('it is found once, with its line', () => {
  expect(proseIn('core/some.ts', "\nconst a = {\n  b: 'one two ' + 'three four',\n};")).toEqual([
    { line: 3, text: 'one two three four' },
  ]);
});

test.each([
  ['three words', "const a = 'no such volume';"],
  ['values are no words', `const a = \`\${a} \${b} \${c} of \${d}\`;`],
  ['a code', "const a = { code: 'volume-is-not-there-at-all' };"],
  ['an error', `throw new BadInput(\`--size \${n} is not a number: give one\`);`],
  ['an error that is handed on', "fail(new Error('this is not to be'));"],
  ['the description of a schema', "z.string().meta({ description: 'what it was asked for' });"],
  ['a check of input', "z.string().regex(/^a$/, 'the one letter that counts');"],
  ['a command', `run(\`aws ec2 modify-volume --volume-id \${id} to be changed\`);`],
])('%s: no prose', (_, source) => {
  expect(found(source)).toEqual([]);
});

test('what is exempt is there', () => {
  const root = join(import.meta.dirname, '../..');
  expect(exemptPaths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect([isExempt('core/plan/step-commands.ts'), isExempt('core/plan/layout.ts')]).toEqual([true, false]);
});
