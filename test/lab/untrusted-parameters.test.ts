/**
 * Untrusted values as root on a real Linux: those that Systems Manager would hand on, in both ways, and samples of those that it
 * refuses, as if it had not.
 */
import { commandDocument } from '../../lib/shared/command-document.ts';
import { agentScript, type Passing } from '../../local/lab/agent-script.ts';
import { Lab } from '../../local/lab/lab.ts';
import { attemptsOn, canary, documentNames, rightParameters, root } from '../ssm-documents/attempts.ts';

const passings: readonly Passing[] = ['environment', 'spliced'];
/** Of each parameter, those of values that no pattern lets through. */
const samples = 4;

/** A document with untrusted values of some of its parameters. */
interface Attempted {
  document: string;
  values: Readonly<Record<string, string>>;
}

interface Outcome {
  attempt: Attempted;
  passing: Passing;
  exitCode: number;
  stdout: string;
  stderr: string;
}

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.start({ root, name: 'test-untrusted', disks: [], say: () => {} });
  // Of the documents themselves: the first that runs makes it.
  await lab.vm.agent.shell('mkdir -p /var/lib/stripewise');
});
afterAll(() => lab.stop());

const separator = '\n-----\n';
const end = '\n=====\n';
/** For a shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

type Planned = Pick<Outcome, 'attempt' | 'passing'>;

/** One shell file that runs its attempts one after the other: hundreds of calls would take longer than what they run. */
function runner(half: number, planned: readonly (Planned & { index: number })[]): string {
  const contents = new Map(
    documentNames().map((name) => [name, JSON.stringify(commandDocument(root, name))]),
  );
  const written = new Set<string>();
  const lines = planned.flatMap(({ attempt, passing, index }) => {
    const parameters = { ...rightParameters(attempt.document), ...attempt.values };
    const { script, environment } = agentScript(contents.get(attempt.document) ?? '', parameters, passing);
    const exports = Object.entries(environment).map(([name, value]) => `export ${name}=${quoted(value)}`);
    // With values in the environment the text is the same each time.
    const file = passing === 'environment' ? attempt.document : `${index}`;
    const write = written.has(file)
      ? []
      : [`cat > ${half}-${file} <<'END-OF-ATTEMPT'\n${script}END-OF-ATTEMPT`];
    written.add(file);
    return [
      ...write,
      `( ${[...exports, 'exec timeout 60 sh'].join('\n')} ./${half}-${file} > ${index}.out 2> ${index}.err < /dev/null )`,
      `echo $? > ${index}.code`,
    ];
  });
  return ['cd /run/attempts || exit 1', 'export AWS_SSM_INSTANCE_ID=i-0123456789abcdef0', ...lines, ''].join(
    '\n',
  );
}

async function runAll(planned: readonly Planned[]): Promise<Outcome[]> {
  const { agent } = lab.vm;
  await agent.shell('rm -rf /run/attempts; mkdir -m 700 /run/attempts');
  const indexed = planned.map((one, index) => ({ ...one, index }));
  const halves = [0, 1].map((half) => indexed.filter(({ index }) => index % 2 === half));
  for (const [half, of] of halves.entries()) await agent.writeFile(`/run/half-${half}`, runner(half, of));
  const ran = await agent.shell('sh /run/half-0 & sh /run/half-1; wait', { timeoutMs: 500_000 });
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
  const parts = [
    `printf '${separator}'`,
    'head -c 2000 $at.out',
    `printf '${separator}'`,
    'head -c 2000 $at.err',
    `printf '${end}'`,
  ];
  const collect = `cd /run/attempts && for at in $(seq 0 ${planned.length - 1}); do cat $at.code; ${parts.join('; ')}; done`;
  const { stdout } = await agent.shell(collect.replaceAll('\n', '\\n'));
  return stdout
    .split(end)
    .slice(0, -1)
    .map((text, index) => {
      const [exitCode = '', out = '', err = ''] = text.split(separator);
      return { ...(planned[index] as Planned), exitCode: Number(exitCode), stdout: out, stderr: err };
    });
}

/** What a value that was executed, or taken for something else, could have changed. */
async function state(): Promise<string> {
  const look = `ls -la ${canary} 2>&1; cat /etc/fstab /etc/passwd /etc/shadow; cat /proc/self/mounts /proc/mdstat; ls -A /srv /root /var/lib/stripewise 2>&1; ls /`;
  return (await lab.vm.agent.shell(look)).stdout;
}

const notified = ({ attempt, passing, ...rest }: Outcome): object => ({
  ...{ document: attempt.document, passing, ...rest },
  values: Object.entries(attempt.values).map(([name, value]) => `${name}: ${value.slice(0, 80)}`),
});
/** Refused in one line that names the document and the step. */
const isRefused = ({ attempt, exitCode, stderr }: Outcome): boolean =>
  exitCode !== 0 &&
  exitCode < 120 &&
  new RegExp(`^${attempt.document}: step "[^"\\n]+" failed: [^\\n]+$`).test(stderr.trim());
/** There is nothing of this name, and that is what was asked for. */
const hasNothingToDo = ({ attempt, exitCode, stdout }: Outcome): boolean =>
  attempt.document === 'teardown-stripe' && exitCode === 0 && /"changed":false/.test(stdout);

/** Each value that passes a pattern, at least once: every parameter of a document has one of its own in the same run. */
function passingTogether(document: string): Attempted[] {
  const byParameter = Object.groupBy(
    attemptsOn(document).filter(({ passes }) => passes),
    ({ parameter }) => parameter,
  );
  const lists = Object.entries(byParameter).map(
    ([parameter, of = []]) => [parameter, of.map(({ value }) => value)] as const,
  );
  return Array.from({ length: Math.max(0, ...lists.map(([, of]) => of.length)) }, (_, index) => ({
    document,
    values: Object.fromEntries(lists.map(([parameter, of]) => [parameter, of[index % of.length] ?? ''])),
  }));
}

test('what passes a pattern is refused in both ways of passing, and changes nothing', async () => {
  const passed = documentNames().flatMap(passingTogether);
  const values = documentNames()
    .flatMap(attemptsOn)
    .filter(({ passes }) => passes);
  const before = await state();
  const outcomes = await runAll(
    passed.flatMap((attempt) => passings.map((passing) => ({ attempt, passing }))),
  );
  process.stderr.write(
    `untrusted values that pass: ${values.length}, in ${passed.length} runs each way of passing\n`,
  );
  expect(outcomes.length).toBe(passed.length * passings.length);
  expect(outcomes.filter((one) => !isRefused(one) && !hasNothingToDo(one)).map(notified)).toEqual([]);
  expect(await state()).toBe(before);
  expect(before).toContain('No such file');
});

test('what does not pass is refused by the script itself, where nobody held it against the pattern', async () => {
  const refused = documentNames()
    .flatMap(attemptsOn)
    // No environment can have it.
    .filter(({ passes, value }) => !passes && !value.includes('\0') && value.isWellFormed());
  const byParameter = Object.values(
    Object.groupBy(refused, ({ document, parameter }) => `${document} ${parameter}`),
  );
  // Another part of them for each parameter.
  const chosen = byParameter.flatMap((of = [], index) =>
    of.filter((_, at) => at % Math.ceil(of.length / samples) === index % Math.ceil(of.length / samples)),
  );
  const before = await state();
  const outcomes = await runAll(
    chosen.map(({ document, parameter, value }) => ({
      attempt: { document, values: { [parameter]: value } },
      passing: 'environment',
    })),
  );
  process.stderr.write(
    `untrusted values that no pattern lets through: ${outcomes.length} run all the same\n`,
  );
  expect(outcomes.length).toBeGreaterThanOrEqual(200);
  expect(outcomes.filter((one) => !isRefused(one)).map(notified)).toEqual([]);
  expect(await state()).toBe(before);
});
