/** Scripts by which bash, zsh and fish complete a command line. They are made once of all commands: completing starts no Node. */

/** What can follow some words. */
export interface CompletedCommand {
  /** Below the program: `['bench', 'plan']`; the program itself has none. */
  words: readonly string[];
  commands: readonly { name: string; description: string }[];
  /** Words that its arguments take; of files it has none. */
  choices: readonly string[];
  options: readonly CompletedOption[];
}

interface CompletedOption {
  /** `-h`, `--help`. */
  flags: readonly string[];
  description: string;
  takesValue: boolean;
  choices: readonly string[];
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const pathOf = ({ words }: CompletedCommand): string => words.join(' ');
const patterns = (texts: readonly string[]): string => texts.map(quoted).join(' | ');
/** One line of a shell's case. */
const branch = (texts: readonly string[], action: string): string => `    ${patterns(texts)}) ${action} ;;`;

const valued = ({ options }: CompletedCommand, wanted: (option: CompletedOption) => boolean) =>
  options.filter((option) => option.takesValue && wanted(option));
const placesOf = (command: CompletedCommand, { flags }: CompletedOption): string[] =>
  flags.map((flag) => `${pathOf(command)} ${flag}`);

/** Places of all options whose values are files or anything else. */
const freePlaces = (commands: readonly CompletedCommand[]): string[] =>
  commands.flatMap((command) =>
    valued(command, ({ choices }) => choices.length === 0).flatMap((option) => placesOf(command, option)),
  );

const subcommandPlaces = (commands: readonly CompletedCommand[]): string[] =>
  commands.filter(({ words }) => words.length > 0).map(pathOf);

/** The loop that finds the command among the words before the one that is completed: bash and zsh have it in common. */
const walk = (commands: readonly CompletedCommand[]): string[] => [
  `    case "$command\${command:+ }$word" in`,
  `      ${patterns(subcommandPlaces(commands))}) command="$command\${command:+ }$word" ;;`,
  '    esac',
];

/** `complete -o default` completes files where nothing is offered. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const ofValues = commands.flatMap((command) =>
    valued(command, ({ choices }) => choices.length > 0).map((option) =>
      branch(placesOf(command, option), `words=${quoted(option.choices.join(' '))}`),
    ),
  );
  const ofCommands = commands.map((command) =>
    branch(
      [pathOf(command)],
      `words=${quoted([...command.commands.map(({ name }) => name), ...command.choices].join(' '))} options=${quoted(command.options.flatMap(({ flags }) => flags).join(' '))}`,
    ),
  );
  return [
    '# bash completion of stripewise. Now: source <(stripewise completion bash)',
    '_stripewise() {',
    `  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command='' word='' words='' options='' i`,
    '  # --sort=name comes as three words.',
    '  if [ "$current" = = ]; then current=\'\'',
    `  elif [ "$previous" = = ]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi`,
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    `    word=\${COMP_WORDS[i]}`,
    ...walk(commands),
    '  done',
    '  COMPREPLY=()',
    '  case "$command $previous" in',
    ...ofValues,
    branch(freePlaces(commands), 'return 0'),
    '    *) case "$command" in',
    ...ofCommands.map((line) => `  ${line}`),
    '      esac ;;',
    '  esac',
    '  if [[ $current == -* ]]; then words=$options; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '  return 0',
    '}',
    'complete -o default -F _stripewise stripewise',
  ].join('\n');
}

/** `name:what it is`, as _describe of zsh takes it. */
const described = (name: string, description: string): string =>
  quoted(`${name.replaceAll(':', '\\:')}:${description.replaceAll('\n', ' ')}`);

export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const ofValues = commands.flatMap((command) =>
    valued(command, ({ choices }) => choices.length > 0).map((option) =>
      branch(placesOf(command, option), `compadd -- ${option.choices.map(quoted).join(' ')}; return`),
    ),
  );
  const ofCommands = commands.map((command) => {
    const names = [
      ...command.commands.map(({ name, description }) => described(name, description)),
      ...command.choices.map(quoted),
    ];
    const options = command.options.flatMap(({ flags, description }) =>
      flags.map((flag) => described(flag, description)),
    );
    return branch([pathOf(command)], `names=(${names.join(' ')}) options=(${options.join(' ')})`);
  });
  return [
    '#compdef stripewise',
    '# zsh completion of stripewise. Now: source <(stripewise completion zsh)',
    '_stripewise() {',
    "  local command='' word=''",
    '  local -a names options',
    `  for word in "\${(@)words[2,CURRENT-1]}"; do`,
    ...walk(commands),
    '  done',
    `  case "$command \${words[CURRENT-1]}" in`,
    ...ofValues,
    branch(freePlaces(commands), '_files; return'),
    '  esac',
    '  case "$command" in',
    ...ofCommands,
    '  esac',
    '  if [[ $words[CURRENT] == -* ]]; then _describe option options',
    '  elif (( $#names )); then _describe command names',
    '  else _files; fi',
    '}',
    'if [ "$funcstack[1]" = _stripewise ]; then _stripewise "$@"; else compdef _stripewise stripewise; fi',
  ].join('\n');
}

export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const text = (one: string): string => `'${one.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap((command) => {
    const at = `complete -c stripewise -n ${text(`__stripewise_at ${text(pathOf(command))}`)}`;
    return [
      ...command.commands.map(({ name, description }) => `${at} -f -a ${text(name)} -d ${text(description)}`),
      ...(command.choices.length === 0 ? [] : [`${at} -f -a ${text(command.choices.join(' '))}`]),
      ...command.options.map(({ flags, description, takesValue, choices }) =>
        [
          at,
          ...flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)),
          ...(takesValue ? ['-r'] : []),
          ...(choices.length === 0 ? [] : [`-f -a ${text(choices.join(' '))}`]),
          `-d ${text(description)}`,
        ].join(' '),
      ),
    ];
  });
  return [
    '# fish completion of stripewise. Now: stripewise completion fish | source',
    'function __stripewise_at',
    "  set -l command ''",
    '  for word in (commandline -opc)[2..-1]',
    '    set -l next (string trim -- "$command $word")',
    `    contains -- $next ${subcommandPlaces(commands).map(text).join(' ')}; and set command $next`,
    '  end',
    '  test "$command" = "$argv[1]"',
    'end',
    ...lines,
  ].join('\n');
}
