/** Ends a document in the middle, as a cancelled command is ended: its whole process group, at once, by SIGKILL. */
import { join } from 'node:path';
import { commandDocument } from '../../lib/shared/command-document.ts';
import { agentScript } from '../../local/lab/agent-script.ts';
import type { Ended } from '../../local/lab/guest-agent.ts';
import type { Lab } from '../../local/lab/lab.ts';
import { ask } from './stripes.ts';

type Parameters = Readonly<Record<string, string>>;
type Run = Pick<Ended, 'exitCode' | 'stdout' | 'stderr'>;

/** A tool, and a pattern of its arguments as in `case`. */
export type Tool = readonly [tool: string, when: string];

/** Runs a file in a process group of its own, and kills that when it has printed a line: run-apart LINE */
const runner = `#!/bin/sh
rm -f /run/apart/lines
mkfifo /run/apart/lines
setsid sh -c /run/apart/document.sh > /run/apart/lines 2> /run/apart/errors < /dev/null &
while IFS= read -r line; do
  printf '%s\\n' "$line"
  [ "$line" != "$1" ] || kill -s KILL -- "-$!"
done < /run/apart/lines > /run/apart/output
wait $!
echo $? > /run/apart/status
mv /run/apart/status /run/apart/ended
`;

async function start(lab: Lab, document: string, parameters: Parameters, line: string): Promise<void> {
  const content = commandDocument(join(__dirname, '../..'), document);
  const defaults = Object.entries(content.parameters ?? {}).map(([name, { default: value = '' }]) => [
    name,
    value,
  ]);
  const all = { ...Object.fromEntries(defaults), ...parameters };
  const { script, environment } = agentScript(JSON.stringify(content), all, 'environment');
  await ask(lab, 'mkdir -p /run/apart; rm -f /run/apart/ended');
  await lab.vm.agent.writeFile('/run/apart/run.sh', runner);
  await lab.vm.agent.writeFile('/run/apart/document.sh', script);
  const agent = { AWS_SSM_INSTANCE_ID: 'i-0123456789abcdef0', AWS_SSM_REGION_NAME: 'us-east-1' };
  await lab.vm.agent.shell(
    `chmod 755 /run/apart/*.sh; setsid /run/apart/run.sh '${line}' > /dev/null 2>&1 < /dev/null &`,
    { environment: { ...agent, ...environment } },
  );
}

/** Which of the files is there first. */
const firstOf = (lab: Lab, ...files: readonly string[]): Promise<string> =>
  ask(
    lab,
    `until [ -e ${files.join(' ] || [ -e ')} ]; do sleep 0.1; done; ls ${files.join(' ')} 2> /dev/null | head -n 1`,
  );

async function ended(lab: Lab): Promise<Run> {
  await firstOf(lab, '/run/apart/ended');
  const read = async (name: string): Promise<string> =>
    (await lab.vm.agent.readFile(`/run/apart/${name}`)).toString('utf8').trim();
  return {
    exitCode: Number(await read('ended')),
    stdout: await read('output'),
    stderr: await read('errors'),
  };
}

/** Killed as soon as it has said that a step begins: exit code 137. */
export async function killedAtStep(
  lab: Lab,
  document: string,
  parameters: Parameters,
  step: string,
): Promise<Run> {
  await start(lab, document, parameters, `== ${step}`);
  return ended(lab);
}

/** Puts something before a tool, where the scripts look first; once. */
async function afterTool(lab: Lab, [tool, when]: Tool, then: string): Promise<void> {
  const shim = `/usr/local/sbin/${tool}`;
  const script = `#!/bin/sh
PATH=/usr/sbin:/usr/bin:/sbin:/bin
${tool} "$@"
status=$?
case "$*" in ${when})
  rm -f ${shim}
  ${then}
  ;;
esac
exit $status
`;
  // In memory: where the power goes, it is gone too.
  await ask(
    lab,
    'mountpoint -q /usr/local/sbin || mount -t tmpfs shims /usr/local/sbin; rm -f /run/tool-done',
  );
  await lab.vm.agent.writeFile(shim, script);
  await ask(lab, `chmod 755 ${shim}`);
}

/** Killed as soon as a tool has done its work: exit code 137. */
export async function killedAfter(
  lab: Lab,
  document: string,
  parameters: Parameters,
  tool: Tool,
): Promise<Run> {
  await afterTool(lab, tool, 'kill -KILL 0');
  await start(lab, document, parameters, '');
  return ended(lab);
}

/** When a tool has done its work something happens, and then the script goes on, if it can. */
export async function whileAfter(
  lab: Lab,
  [document, parameters]: readonly [string, Parameters],
  tool: Tool,
  happens: () => Promise<void>,
): Promise<Run> {
  await startedUntil(lab, [document, parameters], tool);
  await happens();
  await ask(lab, 'rm /run/tool-done');
  return ended(lab);
}

/** It waits there until somebody takes /run/tool-done away, or the power goes. */
export async function startedUntil(
  lab: Lab,
  [document, parameters]: readonly [string, Parameters],
  tool: Tool,
): Promise<void> {
  await afterTool(lab, tool, 'touch /run/tool-done; while [ -e /run/tool-done ]; do sleep 0.1; done');
  await start(lab, document, parameters, '');
  if ((await firstOf(lab, '/run/tool-done', '/run/apart/ended')) === '/run/tool-done') return;
  const { stdout, stderr } = await ended(lab);
  throw new Error(`it ended before ${tool.join(' ')}: ${stderr}\n${stdout}`);
}
