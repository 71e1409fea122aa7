/** The command `completion`: generates shell completion for commands and options from the commands themselves. */
import type { Command } from 'commander';
import { CliError } from './cli-error.ts';
import type { Terminal } from './terminal.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

interface Words {
  command: string;
  summary: string;
  /** The subcommands of a command. */
  commands: string[];
  options: { flag: string; description: string }[];
}

export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .summary('print a script that completes commands in a shell')
    .description(
      'For bash: eval "$(runsheet completion bash)". For zsh and fish: save the script as a file in their folder for completions.',
    )
    .argument('<shell>', SHELLS.join(', '))
    .action((shell: string) => {
      if (!(SHELLS as readonly string[]).includes(shell)) throw new CliError(`There is no completion for "${shell}"`);
      terminal.print(COMPLETIONS[shell as Shell](wordsOf(program)));
    });
}

const wordsOf = (program: Command): Words[] =>
  program.commands.map((command) => ({
    command: command.name(),
    summary: command.summary(),
    commands: command.commands.map((inner) => inner.name()),
    options: [...program.options, ...command.options, ...command.commands.flatMap((inner) => inner.options)].map(
      ({ long, description }) => ({
        flag: long ?? '',
        description,
      }),
    ),
  }));

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const COMPLETIONS: Record<Shell, (words: Words[]) => string> = {
  bash: (words) => `_runsheet() {
  local word=\${COMP_WORDS[COMP_CWORD]} list=
  if [ "$COMP_CWORD" = 1 ]; then list=${quoted(words.map(({ command }) => command).join(' '))}
  else case \${COMP_WORDS[1]} in
${words.map(({ command, commands, options }) => `    ${command}) list=${quoted([...commands, ...options.map(({ flag }) => flag)].join(' '))} ;;`).join('\n')}
  esac; fi
  case $word in -*|'') COMPREPLY=($(compgen -W "$list" -- "$word")) ;; *) [ "$COMP_CWORD" -le 2 ] && COMPREPLY=($(compgen -W "$list" -- "$word")) ;; esac
}
complete -o default -F _runsheet runsheet`,
  zsh: (words) => `#compdef runsheet
_runsheet() {
  if (( CURRENT == 2 )); then
    local -a commands=(${words.map(({ command, summary }) => quoted(`${command}:${summary}`)).join(' ')})
    _describe command commands
    return
  fi
  case $words[2] in
${words.map(({ command, commands, options }) => `    ${command}) local -a flags=(${options.map(({ flag, description }) => quoted(`${flag}:${description}`)).join(' ')}); [[ $PREFIX == -* ]] && _describe option flags || ${commands.length > 0 ? `compadd ${commands.join(' ')}` : '_files'} ;;`).join('\n')}
  esac
}
compdef _runsheet runsheet`,
  fish: (words) =>
    words
      .flatMap(({ command, summary, commands, options }) => [
        `complete -c runsheet -n __fish_use_subcommand -a ${command} -d ${quoted(summary)}`,
        ...commands.map((inner) => `complete -c runsheet -n '__fish_seen_subcommand_from ${command}' -a ${inner}`),
        ...options.map(
          ({ flag, description }) =>
            `complete -c runsheet -n '__fish_seen_subcommand_from ${command}' -l ${flag.replace(/^--/, '')} -d ${quoted(description)}`,
        ),
      ])
      .join('\n'),
};
