/** `stripewise completion`: a script by which a shell completes commands, options and the words that options take. */
import { Argument, Command } from 'commander';
import type { CompletedCommand } from '../report/terminal/completion.ts';
import { bashCompletion, fishCompletion, zshCompletion } from '../report/terminal/completion.ts';
import type { Io } from './io.ts';
import { choicesOf, oneOf } from './options.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

const scriptOf: Record<Shell, (commands: readonly CompletedCommand[]) => string> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** A command and all below it, as commander has them. @param words by which it is called, below the program. */
function completedOf(command: Command, words: readonly string[]): CompletedCommand[] {
  const help = command.createHelp();
  const below = command.commands;
  return [
    {
      words,
      commands: below.map((one) => ({ name: one.name(), description: one.description() })),
      choices: command.registeredArguments.flatMap(choicesOf),
      options: help.visibleOptions(command).map((option) => ({
        flags: [option.short, option.long].filter((flag) => flag !== undefined),
        description: option.description,
        takesValue: option.required || option.optional,
        choices: choicesOf(option),
      })),
    },
    ...below.flatMap((one) => completedOf(one, [...words, one.name()])),
  ];
}

export const completionCommand = (io: Io, loadCommands: () => Promise<Command[]>): Command =>
  new Command('completion')
    .description('A script by which a shell completes this command line.')
    .addArgument(new Argument('<shell>', shells.join(', ')).argParser(oneOf('the shell', shells)))
    .addHelpText(
      'after',
      `
It completes commands, options, the words that an option takes, and files. A new version may need a new script.

Examples:
  source <(stripewise completion bash)
  stripewise completion bash > ~/.local/share/bash-completion/completions/stripewise
  stripewise completion zsh > ~/.zfunc/_stripewise
  stripewise completion fish > ~/.config/fish/completions/stripewise.fish`,
    )
    .action(async (shell: Shell) => {
      const program = new Command('stripewise').version('', '--version', 'print the version');
      for (const command of await loadCommands()) program.addCommand(command);
      io.out(scriptOf[shell](completedOf(program, [])));
    });
