/**
 * `runsheet reset-admin-password`: sets a new password for the administrator and prints it once, with the settings of
 * the server.
 */
import { pino } from 'pino';
import { loadConfig } from '#server/config/load-config.ts';
import { withCommandDatabase } from './command-database.ts';
import type { Database } from '#server/db/database.ts';
import { createSessionsService } from '#server/features/sessions/sessions-service.ts';
import { ADMINISTRATOR_NAME, resetAdministrator } from '#server/features/users/administrator.ts';
import { ExitCode } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';

export async function resetAdminPassword({ print, env }: Terminal): Promise<ExitCode> {
  const config = loadConfig(env);
  const log = pino({ level: 'silent' });
  const reset = async (database: Database): Promise<string> => {
    const { userId, password } = await resetAdministrator(database);
    await createSessionsService({ ...config, database, log }).endAllOf(userId);
    return password;
  };
  const newPassword = await withCommandDatabase(config, log, reset, { command: 'reset-admin-password' });
  print(`The new password of '${ADMINISTRATOR_NAME}' is ${newPassword}`);
  print('It must be changed at the next sign-in. All sessions of the administrator were ended.');
  return ExitCode.Succeeded;
}
