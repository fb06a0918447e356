/** The template as `cdk synth` makes it, and what tests ask of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { stripewiseApp } from '../../lib/app.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

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
  readonly file: string;
  readonly json: z.output<typeof templateSchema>;

  constructor(file: string) {
    this.file = file;
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

/** One directory for the tests of a file; configurations as objects. */
export function synthesizer(): (config?: object) => Synthesized {
  const directory = temporaryDirectory();
  let count = 0;
  return (config = {}) => {
    count += 1;
    const app = stripewiseApp({
      root,
      configFile: directory.write(`config-${count}.yaml`, config),
      appProps: { outdir: join(directory.path, `cdk-${count}`) },
    });
    return new Synthesized(app.synth().getStackByName('Stripewise').templateFullPath);
  };
}

/** The logical id behind a Ref or a GetAtt of an Arn. */
export function idOf(reference: unknown): string {
  const text = JSON.stringify(reference);
  const [, id] = /^\{"Fn::GetAtt":\["(\w+)","Arn"\]\}$/.exec(text) ?? /^\{"Ref":"(\w+)"\}$/.exec(text) ?? [];
  if (id === undefined) throw new Error(`no reference: ${text}`);
  return id;
}

/** A resource of a statement in short: `Runs/work/*`, `AdvisoryTold`, `*`, or an ARN with its pseudo parameters. */
export function shortly(resource: unknown): string {
  if (typeof resource === 'string') return resource;
  const [[name, inner] = ['', '']] = Object.entries(resource as Record<string, unknown>);
  if (name === 'Fn::Join') return (inner as [string, unknown[]])[1].map(shortly).join('');
  const id = Array.isArray(inner) ? String(inner[0]) : String(inner);
  return id.replace(/[0-9A-F]{8}$/, '');
}
