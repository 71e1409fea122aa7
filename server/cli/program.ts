/** The command `runsheet`: its subcommands, and how it ends. */
import { Command, CommanderError } from 'commander';
import { CallFailure } from '#shared/client/client.ts';
import { InputFailure } from '#shared/client/inputs.ts';
import { StartError } from '#server/base/start-error.ts';
import { VERSION } from '#server/base/version.ts';
import { addActivityCommands } from './activity-commands.ts';
import { addCalculateCommand } from './calculate-command.ts';
import { CliError, ExitCode } from './cli-error.ts';
import { addCompletionCommand } from './completion-command.ts';
import { addEvaluateCommand } from './evaluate-command.ts';
import { addLoginCommands } from './login-commands.ts';
import { addOperatorCommands } from './operator-commands.ts';
import { addManifestCommands } from './manifest-commands.ts';
import { addRunCommands, type CommandContext } from './run-commands.ts';
import { addPeopleCommands } from './people-commands.ts';
import { addScheduleCommands } from './schedule-commands.ts';
import { KEY_VARIABLE, openClient, PORTAL_VARIABLE } from './saved-logins.ts';
import type { Terminal } from './terminal.ts';
import { addTransferCommands } from './transfer-commands.ts';

/** Executes a command line and returns its exit code. @param args arguments without the program itself */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let exitCode: ExitCode = ExitCode.Succeeded;
  const program = new Command('runsheet')
    .description('Runs the activities of a Runsheet portal from scripts and terminals.')
    .version(VERSION)
    .option('--portal <address>', `the portal; overrides ${PORTAL_VARIABLE} and the last "runsheet login"`)
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.printMessage(text.trimEnd()),
    })
    .exitOverride()
    .showHelpAfterError('(see runsheet help)')
    .addHelpText(
      'after',
      `\nEnvironment: ${PORTAL_VARIABLE} is the address of the portal, and ${KEY_VARIABLE} is an API key for it.` +
        '\nExit codes: 0 succeeded, 1 the run, a row or the check failed, 2 wrong usage or settings, 3 the portal refused or could not be reached, 4 the run continues.',
    );
  const context: CommandContext = {
    terminal,
    client: () => openClient(terminal, program.opts<{ portal?: string }>().portal),
    end: (code) => void (exitCode = code),
  };
  addLoginCommands(program, context);
  addActivityCommands(program, context);
  addRunCommands(program, context);
  addCalculateCommand(program, context);
  addEvaluateCommand(program, context);
  addScheduleCommands(program, context);
  addTransferCommands(program, context);
  addManifestCommands(program, context);
  addPeopleCommands(program, context);
  addOperatorCommands(program, context);
  addCompletionCommand(program, terminal);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    return endOf(error, terminal);
  }
}

function endOf(error: unknown, terminal: Terminal): ExitCode {
  // Commander has already printed the error; help and version are not errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.Succeeded : ExitCode.WrongUse;
  // A setting or a state of the machine that the operator must fix.
  if (error instanceof StartError) {
    terminal.printMessage(`runsheet: ${error.message.replaceAll(/\s*\n\s*/g, ' ')}`);
    return ExitCode.WrongUse;
  }
  if (error instanceof CliError || error instanceof InputFailure || error instanceof CallFailure) {
    terminal.printMessage(`runsheet: ${error.message}`);
    if (error instanceof CliError) return error.exitCode;
    return error instanceof InputFailure ? ExitCode.WrongUse : ExitCode.Refused;
  }
  throw error;
}
