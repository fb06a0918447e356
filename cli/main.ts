/** The command line: parses, calls the use case, turns every ending into one of five exit codes. */
import { Command, CommanderError } from 'commander';
import { BadInput, DiskFull, Unreadable } from '../core/errors.ts';
import { sanitize } from '../report/terminal/text.ts';
import { type ExitCode, exitCodes, type Io } from './io.ts';

/** A message can hold what stands in a file or an account: it is sanitized, and one line. */
const maxErrorCharacters = 1_000;

/** The same as in package.json: a test compares them. */
const version = '0.1.0';

type Ended = (code: ExitCode) => void;

/** In the order of the help. Each is loaded when it is needed: what `audit` needs takes longer than a plan. */
const commands: Record<string, (io: Io, ended: Ended) => Promise<Command>> = {
  audit: async (io, ended) => (await import('./audit.ts')).auditCommand(io, ended),
  compare: async (io, ended) => (await import('./compare.ts')).compareCommand(io, ended),
  plan: async (io) => (await import('./plan.ts')).planCommand(io),
  check: async (io, ended) => (await import('./check.ts')).checkCommand(io, version, ended),
  replay: async (io) => (await import('./replay.ts')).replayCommand(io),
  limits: async (io) => (await import('./limits.ts')).limitsCommand(io),
  burst: async (io) => (await import('./burst.ts')).burstCommand(io),
  grade: async (io) => (await import('./grade.ts')).gradeCommand(io),
  bench: async (io, ended) => (await import('./bench.ts')).benchCommand(io, ended),
  changes: async (io, ended) => (await import('./changes.ts')).changesCommand(io, ended),
  history: async (io, ended) => (await import('./history.ts')).historyCommand(io, ended),
  report: async (io) => (await import('./report.ts')).reportCommand(io),
  mcp: async (io) => (await import('./mcp.ts')).mcpCommand(io, version),
  demand: async (io) => (await import('./demand.ts')).demandCommand(io),
  catalog: async (io) => (await import('./catalog.ts')).catalogCommand(io),
  doctor: async (io, ended) => (await import('./doctor.ts')).doctorCommand(io, ended),
  config: async (io) => (await import('./config.ts')).configCommand(io),
  schema: async (io) => (await import('./schema.ts')).schemaCommand(io),
  completion: async (io, ended) =>
    (await import('./completion.ts')).completionCommand(io, () => commandsFor([], io, ended)),
};

/** The one that is named first; all of them where none is, for the help and the hints; none for the version. */
export function commandsFor(argv: readonly string[], io: Io, ended: Ended): Promise<Command[]> {
  const [first = ''] = argv;
  if (first === '--version') return Promise.resolve([]);
  const named = Object.hasOwn(commands, first) ? commands[first] : undefined;
  const needed = named === undefined ? Object.values(commands) : [named];
  return Promise.all(needed.map((load) => load(io, ended)));
}

/** Every command writes through `io` and throws instead of ending the process. */
function bind(command: Command, io: Io): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => io.out(text.trimEnd()),
    writeErr: (text) => io.err(text.trimEnd()),
    outputError: (text, write) =>
      write(
        sanitize(
          text
            .trimEnd()
            .replace(/^error: /, 'stripewise: ')
            .replace(/\n(?=\()/, ' '),
          maxErrorCharacters,
        ),
      ),
  });
  for (const child of command.commands) bind(child, io);
}

/**
 * Runs a command line.
 * @param argv the arguments alone, without node and script.
 * @returns the exit code; errors are one line on standard error.
 */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  const program = new Command('stripewise')
    .description('Why is this EBS volume slow, what throttles it, and what would be faster or cheaper?')
    .version(version, '--version', 'print the version')
    .enablePositionalOptions()
    .addHelpText(
      'after',
      '\nExample:\n  stripewise limits --type gp3 --size-gib 500 --iops 6000\n\n`stripewise <command> --help` shows examples of each command.',
    );
  const loaded = await commandsFor(argv, io, (ended) => {
    code = ended;
  });
  for (const command of loaded) program.addCommand(command);
  bind(program, io);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof BadInput) {
      io.err(`stripewise: ${sanitize(error.message, maxErrorCharacters)}`);
      return exitCodes.badInput;
    }
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.badInput;
    if (error instanceof Unreadable || error instanceof DiskFull) {
      io.err(`stripewise: failed: ${sanitize(error.message, maxErrorCharacters)}`);
      return exitCodes.failed;
    }
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
    // Where it happened is reported a line each; what it says may hold text of a file or an account.
    io.err(
      `stripewise: failed: ${said
        .split('\n')
        .map((line) => sanitize(line, maxErrorCharacters))
        .join('\n')}`,
    );
    return exitCodes.failed;
  }
}
