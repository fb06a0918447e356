/** `stripewise schema`: the JSON Schema of what the other commands print with --json. */
import { Command } from 'commander';
import { jsonSchemaOf, type SchemaName, schemas } from '../core/schemas/index.ts';
import { type Io, printJson } from './io.ts';
import { oneOf } from './options.ts';

const names = Object.keys(schemas) as SchemaName[];

export const schemaCommand = (io: Io): Command =>
  new Command('schema')
    .description('The JSON Schema of a document that stripewise prints.')
    .argument('<name>', 'one of the names below', oneOf('schema', names))
    .addHelpText(
      'after',
      `
Names:
${names.map((name) => `  ${name}`).join('\n')}

Example:
  stripewise schema audit > audit.schema.json`,
    )
    .action((name: SchemaName) => printJson(io, jsonSchemaOf(name)));
