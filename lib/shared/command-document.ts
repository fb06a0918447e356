/**
 * A Command document of Systems Manager, put together from ssm-documents/NAME: document.yaml, NAME.sh, and the files that
 * the script reads.
 *
 * A parameter x is the variable SSM_x of the script. Agents from 3.3.2746.0 on set it (interpolationType ENV_VAR). Older
 * ones know nothing of that and splice values into the text: for them the script begins with the fallback that AWS
 * documents, and what a parameter may be is proved to be harmless there. Whether newer ones splice as well is not
 * documented; the fallback is right either way. Source: Systems Manager User Guide, "Troubleshooting parameter handling
 * issues", read 2026-11-22.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { safePattern } from './safe-pattern.ts';

const parameterSchema = z.looseObject({
  type: z.literal('String'),
  description: z.string().min(1),
  allowedPattern: z.string(),
  interpolationType: z.literal('ENV_VAR'),
  default: z.string().optional(),
});
/** As far as the script has a place in it; the rest stays as it is written. */
const documentSchema = z.looseObject({
  schemaVersion: z.literal('2.2'),
  parameters: z.record(z.string(), parameterSchema).optional(),
  mainSteps: z.tuple([z.looseObject({ action: z.literal('aws:runShellScript'), inputs: z.looseObject({}) })]),
});
type DocumentFile = z.infer<typeof documentSchema>;
type CommandDocument = DocumentFile & { mainSteps: [{ inputs: { runCommand: string[] } }] };

/** What Systems Manager takes is below this. Source: AWS General Reference, quotas of Systems Manager, read 2026-11-22. */
const tooManyBytes = 64 * 1024;

function readDocument(directory: string): DocumentFile {
  const parsed = documentSchema.safeParse(parse(readFileSync(join(directory, 'document.yaml'), 'utf8')));
  if (!parsed.success) throw new Error(`document.yaml: ${z.prettifyError(parsed.error)}`);
  for (const [name, { allowedPattern, default: value }] of Object.entries(parsed.data.parameters ?? {})) {
    // It becomes part of a variable's name.
    if (!/^[a-z][a-zA-Z0-9]*$/.test(name))
      throw new Error(`parameter ${name}: a name is letters and digits, a small letter first`);
    try {
      const pattern = safePattern(allowedPattern);
      if (value !== undefined && !pattern.test(value))
        throw new Error(`its default "${value}" does not match ${allowedPattern}`);
    } catch (error) {
      throw new Error(`parameter ${name}: ${(error as Error).message}`, { cause: error });
    }
  }
  return parsed.data;
}

/** `. "${0%/*}/../shared/steps.sh"`, with the line that tells ShellCheck of it. */
const reads = /^(?:# shellcheck source=.*\n)?\. "\$\{0%\/\*\}\/((?:\.\.\/shared\/)?[a-z0-9-]+\.sh)"$/gm;
/** In whatever form. */
const readsAnything = /(?:^|[;&|])[ \t]*(?:\.|source)[ \t].*$/m;

/** A document is one text: what the script reads, and what that reads, stands in the place of the line that reads it. */
function withWhatItReads(directory: string, script: string, seen = new Set<string>()): string {
  const whole = script.replace(reads, (_, path: string) => {
    if (seen.has(path)) throw new Error(`the script reads ${path} twice`);
    seen.add(path);
    if (!existsSync(join(directory, path))) throw new Error(`the script reads ${path}, which is not there`);
    const text = readFileSync(join(directory, path), 'utf8').trimEnd();
    if (text.startsWith('#!')) throw new Error(`the script reads ${path}, which is a script of its own`);
    return withWhatItReads(directory, text, seen);
  });
  const left = readsAnything.exec(whole);
  if (left !== null)
    throw new Error(
      `what "${left[0].trim()}" reads cannot be put there: the form is . "\${0%/*}/../shared/NAME.sh"`,
    );
  return whole;
}

const reason =
  '# Agents before 3.3.2746.0 set no variables: they put values where names stand in braces. Patterns keep that harmless.';
const fallback = (name: string): string => `[ -n "\${SSM_${name}+x}" ] || SSM_${name}='{{ ${name} }}'`;

function linesOf(directory: string, name: string, parameters: readonly string[]): string[] {
  const script = readFileSync(join(directory, `${name}.sh`), 'utf8').trimEnd();
  const [first, ...lines] = withWhatItReads(directory, script).split('\n');
  if (first !== '#!/bin/sh')
    throw new Error(`the script must begin with #!/bin/sh, and begins with ${first}`);
  const spliced = lines.find((line) => line.includes('{{'));
  if (spliced !== undefined)
    throw new Error(
      `an agent may put a value into "${spliced.trim()}": use SSM_NAME, and no two braces in a row`,
    );
  const used = [...lines.join('\n').matchAll(/\$\{?SSM_([a-z]\w*)/g)].map(([, parameter = '']) => parameter);
  const unknown = used.find((parameter) => !parameters.includes(parameter));
  if (unknown !== undefined)
    throw new Error(`the script uses SSM_${unknown}, and ${unknown} is no parameter`);
  const fallbacks = parameters.length === 0 ? [] : [reason, ...parameters.map(fallback)];
  return [first, ...fallbacks, ...lines];
}

/**
 * The document with its script in it, line by line.
 *
 * @param root the checkout. @param name of the directory in ssm-documents.
 * @throws Error where it could not be sent as it is, or would not be safe with every agent: it says what is wrong.
 */
export function commandDocument(root: string, name: string): CommandDocument {
  const directory = join(root, 'ssm-documents', name);
  try {
    const document = readDocument(directory);
    const [step] = document.mainSteps;
    const runCommand = linesOf(directory, name, Object.keys(document.parameters ?? {}));
    const whole: CommandDocument = {
      ...document,
      mainSteps: [{ ...step, inputs: { ...step.inputs, runCommand } }],
    };
    const bytes = Buffer.byteLength(JSON.stringify(whole));
    if (bytes >= tooManyBytes)
      throw new Error(`it has ${bytes} bytes, and must have less than ${tooManyBytes}`);
    return whole;
  } catch (error) {
    throw new Error(`ssm-documents/${name}: ${(error as Error).message}`, { cause: error });
  }
}
