/** What the SSM agent makes of a document on a host. */
import { parse } from 'yaml';
import { z } from 'zod';

/**
 * How parameters with interpolationType ENV_VAR come to the script: agents from 3.3.2746.0 on set variables, older ones
 * splice values into its text.
 */
export type Passing = 'environment' | 'spliced';

export interface AgentScript {
  script: string;
  environment: Record<string, string>;
  timeoutSeconds: number;
}

const documentSchema = z.object({
  parameters: z.record(z.string(), z.object({ interpolationType: z.string().optional() })).default({}),
  mainSteps: z.tuple([
    z.object({
      action: z.literal('aws:runShellScript'),
      inputs: z.object({
        runCommand: z.array(z.string()),
        timeoutSeconds: z.union([z.string(), z.number()]).default(''),
      }),
    }),
  ]),
});

type Values = Readonly<Record<string, string>>;

/** `{{name}}`, with spaces or without. Of what is no parameter the agent leaves the braces. */
const spliced = (text: string, values: Values): string =>
  text.replace(/\{\{\s*([a-zA-Z0-9]+)\s*\}\}/g, (braces, name: string) =>
    Object.hasOwn(values, name) ? `${values[name]}` : braces,
  );

/** Seconds that the agent gives a script. Out of its bounds, or no number, it takes its default. */
function timeoutOf(text: string): number {
  const seconds = Math.trunc(Number(text));
  return seconds >= 5 && seconds <= 172_800 ? seconds : 3_600;
}

/**
 * @param content of the document. @param parameters All that it has.
 *
 * What newer agents do with `{{ name }}` in the text is not documented: here they leave it, so a script that needs it fails.
 * Source of the rest: amazon-ssm-agent (docparser/parameters, pluginutil), and for variables the Systems Manager User Guide,
 * "Data elements and parameters", read 2026-11-22.
 */
export function agentScript(content: string, parameters: Values, passing: Passing): AgentScript {
  const { parameters: definitions, mainSteps } = documentSchema.parse(parse(content));
  const [{ inputs }] = mainSteps;
  const isVariable = ([name]: [string, string]): boolean =>
    passing === 'environment' && definitions[name]?.interpolationType === 'ENV_VAR';
  const all = Object.entries(parameters);
  const inText = Object.fromEntries(all.filter((one) => !isVariable(one)));
  return {
    script: `${inputs.runCommand.map((line) => spliced(line, inText)).join('\n')}\n`,
    environment: Object.fromEntries(all.filter(isVariable).map(([name, value]) => [`SSM_${name}`, value])),
    timeoutSeconds: timeoutOf(spliced(String(inputs.timeoutSeconds), parameters)),
  };
}
