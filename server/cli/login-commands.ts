/** Commands that sign the command line in and out: login, logout. */
import type { Command } from 'commander';
import { text as readText } from 'node:stream/consumers';
import { createClient } from '#shared/client/client.ts';
import { logout, profile } from '#shared/contract/auth.ts';
import { beginAddInLogin } from './browser-login.ts';
import { CliError, ExitCode } from './cli-error.ts';
import type { CommandContext } from './run-commands.ts';
import { forgetLogin, saveLogin, openClient, portalAddress } from './saved-logins.ts';
import { printable, type Terminal } from './terminal.ts';

/** How long a sign-in may take in the browser, in milliseconds. */
const LOGIN_LIMIT = 300_000;

export function addLoginCommands(program: Command, context: CommandContext): void {
  const { terminal } = context;
  program
    .command('login')
    .summary('sign in to a portal')
    .description(
      'Signs in, through the desktop client or the browser, the person who is signed in there. The session ends like any other. With --key\n' +
        'it reads an API key from standard input instead. The session or the key is saved in a file that only you can read.',
    )
    .argument('<address>', 'address of the portal')
    .option('--key', 'read an API key from standard input')
    .action(async (addressArgument: string, { key }: { key?: boolean }) => {
      const address = portalAddress(addressArgument);
      const token = key ? (await readText(process.stdin)).trim() : await signIn(terminal, address);
      if (token === '') throw new CliError('There is no API key on standard input');
      const { UserName } = await createClient({ address, token }).call(profile, { body: [] });
      saveLogin(terminal, address, token);
      terminal.printMessage(`Signed in to ${address} as ${printable(UserName)}`);
    });
  program
    .command('logout')
    .summary('sign out of a portal, and remove its saved login')
    .argument('[address]', 'address of the portal; by default the portal of the last sign-in')
    .action(async (addressArgument: string | undefined) => {
      const client = openClient(
        { ...terminal, env: { ...terminal.env, RUNSHEET_API_KEY: undefined } },
        addressArgument,
      );
      // An API key has no session to end, and a session that has already ended needs no end.
      await client.call(logout, { body: null }).catch(() => undefined);
      forgetLogin(terminal, client.address);
      terminal.printMessage(`Signed out of ${client.address}`);
    });
}

async function signIn(terminal: Terminal, address: string): Promise<string> {
  const login = await beginAddInLogin(address, 'runsheet-cli');
  try {
    const problem = await login.askDesktopClient();
    terminal.printMessage(
      problem === ''
        ? 'Please choose Continue in the desktop client'
        : `Open this address in your browser (${problem}):\n\n  ${login.address}\n`,
    );
    const limit = AbortSignal.timeout(LOGIN_LIMIT);
    const late = new Promise<never>((_, reject) =>
      limit.addEventListener('abort', () => reject(new Error('nobody confirmed the sign-in in time'))),
    );
    return (await Promise.race([login.session, late])).access_token;
  } catch (error) {
    throw new CliError(`Not signed in: ${(error as Error).message}`, ExitCode.Refused);
  } finally {
    login.close();
  }
}
