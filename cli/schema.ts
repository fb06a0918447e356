/** `stripewise schema`: the JSON Schema of what the other commands print with --json. */
import { Command } from 'commander';
import { BadInput } from '../core/errors.ts';
import { jsonSchemaOf, type SchemaName, schemas } from '../core/schemas/index.ts';
import { type Io, printJson } from './io.ts';

const names = Object.keys(schemas) as SchemaName[];

export const schemaCommand = (io: Io): Command =>
  new Command('schema')
    .description('The JSON Schema of a document that stripewise prints.')
    .argument('<name>', names.join(', '))
    .addHelpText('after', '\nExample:\n  stripewise schema audit > audit.schema.json')
    .action((text: string) => {
      const name = names.find((candidate) => candidate === text);
      if (name === undefined)
        throw new BadInput(`schema "${text}" is not known: give one of ${names.join(', ')}`);
      printJson(io, jsonSchemaOf(name));
    });
