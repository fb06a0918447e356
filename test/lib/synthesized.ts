/** The template as `cdk synth` makes it, and what tests ask of it. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { memoize } from 'es-toolkit/function';
import { z } from 'zod';
import { auditStack, benchmarkStackOf } from '../../core/stacks.ts';
import { cachedDirectoryLater, hashOfInputs } from '../../lib/shared/build-cache.ts';
import { hashOfFunctions } from '../../lib/shared/bundle.ts';
import type { ConfigurationName, PlainConfigurationName } from './configurations.ts';

export const root = join(__dirname, '../..');

const statementSchema = z.object({
  Effect: z.enum(['Allow', 'Deny']),
  Action: z.union([z.string(), z.array(z.string())]).transform((action) => [action].flat()),
  Resource: z.unknown().transform((resource) => [resource].flat()),
  Condition: z.unknown().optional(),
  Principal: z.unknown().optional(),
});
export type Statement = z.output<typeof statementSchema>;
const documentSchema = z.object({ Statement: z.array(statementSchema) });
const rolePoliciesSchema = z.array(z.object({ PolicyDocument: documentSchema })).default([]);

const resourceSchema = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
});
export type Resource = z.output<typeof resourceSchema>;
const templateSchema = z.looseObject({ Resources: z.record(z.string(), resourceSchema) });

export class Synthesized {
  readonly json: z.output<typeof templateSchema>;

  constructor(file: string) {
    this.json = templateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  }

  /** By logical id. */
  all(type: string): [string, Resource][] {
    return Object.entries(this.json.Resources).filter(([, { Type }]) => Type === type);
  }

  /** The one of a type whose logical id begins so. */
  one(type: string, idStart: string): { id: string } & Resource {
    const [first, ...others] = this.all(type).filter(([id]) => id.startsWith(idStart));
    if (first === undefined || others.length > 0)
      throw new Error(`${1 + others.length} or none of ${type} begin with ${idStart}`);
    return { id: first[0], ...first[1] };
  }

  /** What a role may do, by its own policies and by those that name it. */
  statementsOf(roleId: string): Statement[] {
    const own = rolePoliciesSchema.parse(this.json.Resources[roleId]?.Properties['Policies']);
    const attached = this.all('AWS::IAM::Policy').flatMap(([, { Properties }]) =>
      JSON.stringify(Properties['Roles']).includes(`"${roleId}"`)
        ? [documentSchema.parse(Properties['PolicyDocument'])]
        : [],
    );
    return [...own.map(({ PolicyDocument }) => PolicyDocument), ...attached].flatMap(
      ({ Statement }) => Statement,
    );
  }

  /** A policy that stands on a resource. */
  resourcePolicy(type: string, idStart: string): Statement[] {
    return documentSchema.parse(this.one(type, idStart).Properties['PolicyDocument']).Statement;
  }
}

/** Milliseconds for `beforeAll`: whoever comes first synthesizes, on a busy machine. */
export const patience = 300_000;

const inputs = [
  ...['lib', 'core/stacks.ts', 'core/reading-actions.ts', 'core/config/organization.ts'],
  ...['ssm-documents', 'cdk.json', 'tools/every-channel.ts'],
  ...['test/lib/configurations.ts', 'test/lib/synthesize.ts'],
];
const hashNow = (): string => hashOfInputs(root, inputs, hashOfFunctions(root));

/** Of all named configurations; whoever asks first makes them, which takes some 20 s. @throws Error with what the synthesis said. */
const templates = memoize(() =>
  cachedDirectoryLater({ root, kind: 'templates', hash: hashNow(), hashNow }, async (directory) => {
    const script = join(root, 'test/lib/synthesize.ts');
    try {
      await promisify(execFile)(process.execPath, [script, directory], { maxBuffer: 64 * 1024 ** 2 });
    } catch (error) {
      const { stdout, stderr, message } = error as Error & { stdout: string; stderr: string };
      throw new Error(`${stdout}${stderr}` || message);
    }
  }),
);

const stackOf = async (name: ConfigurationName, stack: string): Promise<Synthesized> =>
  new Synthesized(join(await templates(), `${name}.${stack}.template.json`));

/** The stack of the audit. */
export const synthesized = (name: ConfigurationName): Promise<Synthesized> => stackOf(name, auditStack);

/** How the stack of the benchmark names the bucket of the audit, in short. */
export const runsBucket = 'arn:AWS::Partition:s3:::RunsBucketParameter';

/** The stack of the benchmark. @throws Error where the configuration has none. */
export const synthesizedBenchmark = (name: ConfigurationName): Promise<Synthesized> =>
  stackOf(name, benchmarkStackOf(auditStack));

const nagReportSchema = z.object({ violations: z.array(z.string()), reasons: z.array(z.string()) });

/** What the rules of AWS Solutions find in a configuration that nobody acknowledged, and the reasons of what was acknowledged. */
export async function nagReport(name: ConfigurationName): Promise<z.output<typeof nagReportSchema>> {
  return nagReportSchema.parse(JSON.parse(readFileSync(join(await templates(), `${name}.nag.json`), 'utf8')));
}

/** The directory of a plain template: to be read only. */
export const plainTemplate = async (name: PlainConfigurationName): Promise<string> =>
  join(await templates(), 'plain', name);

/** The logical id behind a Ref or a GetAtt of an Arn. */
export function idOf(reference: unknown): string {
  const text = JSON.stringify(reference);
  const [, id] = /^\{"Fn::GetAtt":\["(\w+)","Arn"\]\}$/.exec(text) ?? /^\{"Ref":"(\w+)"\}$/.exec(text) ?? [];
  if (id === undefined) throw new Error(`no reference: ${text}`);
  return id;
}

/** A resource of a statement in short: `Runs/work/*`, `NotificationsFindings`, `*`, or an ARN with its pseudo parameters. */
export function shortly(resource: unknown): string {
  if (typeof resource === 'string') return resource;
  const [[name, inner] = ['', '']] = Object.entries(resource as Record<string, unknown>);
  if (name === 'Fn::Join') return (inner as [string, unknown[]])[1].map(shortly).join('');
  const id = Array.isArray(inner) ? String(inner[0]) : String(inner);
  return id.replace(/[0-9A-F]{8}$/, '');
}
