/** What cfn-lint and asl-validator find in a template. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import aslValidator from 'asl-validator';
import { z } from 'zod';
import { ensurePython } from '../local/python.ts';

/** Rules of cfn-lint that do not hold here, each with its reason. */
const ignored = {
  W3005:
    'a dependency that a reference says too: the CDK writes DependsOn for every role, and it does no harm.',
};

const findingsSchema = z.array(
  z.object({
    Rule: z.object({ Id: z.string() }),
    Level: z.string(),
    Message: z.string(),
    Location: z.object({ Path: z.array(z.union([z.string(), z.number()])).nullable() }),
  }),
);

/** One line a finding. */
export async function cfnLintFindings(root: string, templateFile: string): Promise<string[]> {
  const python = await ensurePython({ root, say: (line) => process.stderr.write(`${line}\n`) });
  const lint = spawnSync(
    join(dirname(python), 'cfn-lint'),
    ['--format', 'json', '--ignore-checks', ...Object.keys(ignored), '--', templateFile],
    { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 },
  );
  // Bits by the worst level that was found: 2 error, 4 warning, 8 informational.
  const evaluated = lint.status !== null && lint.status % 2 === 0 && lint.stdout !== '';
  if (!evaluated) throw new Error(`cfn-lint failed: ${lint.stderr || lint.error?.message}`);
  return findingsSchema
    .parse(JSON.parse(lint.stdout))
    .map(
      ({ Rule, Level, Message, Location }) =>
        `cfn-lint ${Rule.Id} (${Level}): ${Message} at ${Location.Path?.join('/') ?? 'the file'}`,
    );
}

const templateSchema = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) }),
  ),
});

const joinSchema = z.object({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.unknown())]) });

/** References of a definition as they could be: what a validator looks at is their form. */
function asDeployed(part: unknown): string {
  if (typeof part === 'string') return part;
  const text = JSON.stringify(part);
  if (text === '{"Ref":"AWS::Partition"}') return 'aws';
  const [, name, attribute] = /"(\w+)"(?:,"(\w+)")?\]?\}$/.exec(text) ?? [];
  return attribute === 'Arn' ? `arn:aws:lambda:us-east-1:111122223333:function:${name}` : `${name}`;
}

/** The state machines of a template, by logical id. */
export function workflowsOf(template: unknown): Map<string, unknown> {
  const { Resources } = templateSchema.parse(template);
  const machines = Object.entries(Resources).filter(
    ([, { Type }]) => Type === 'AWS::StepFunctions::StateMachine',
  );
  return new Map(
    machines.map(([id, { Properties }]) => {
      const [, parts] = joinSchema.parse(Properties['DefinitionString'])['Fn::Join'];
      return [id, JSON.parse(parts.map(asDeployed).join(''))];
    }),
  );
}

/** One line a workflow that is not valid. */
export const workflowFindings = (template: unknown): string[] =>
  [...workflowsOf(template)].flatMap(([id, definition]) => {
    const { isValid, errorsText } = aslValidator(definition);
    return isValid ? [] : [`asl-validator: ${id}: ${errorsText('; ')}`];
  });

export async function templateFindings(root: string, templateFile: string): Promise<string[]> {
  return [
    ...(await cfnLintFindings(root, templateFile)),
    ...workflowFindings(JSON.parse(readFileSync(templateFile, 'utf8'))),
  ];
}
