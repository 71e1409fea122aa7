/** `npm run reset-admin-password`: a new password for the administrator, printed once, with the same settings as the server's. */
import { pino } from 'pino';
import { loadConfig } from '#server/config/load-config.ts';
import { withCommandDatabase } from '#server/compose/command-database.ts';
import { createSessionsService } from '#server/features/sessions/sessions-service.ts';
import { ADMINISTRATOR_NAME, resetAdministrator } from '#server/features/users/administrator.ts';
import { exitOnStartError } from '#server/base/start-error.ts';

async function resetPassword(): Promise<string> {
  const config = loadConfig();
  const log = pino({ level: 'silent' });
  return withCommandDatabase(config, log, async (database) => {
    const { userId, password } = await resetAdministrator(database);
    await createSessionsService({ ...config, database, log }).endAllOf(userId);
    return password;
  });
}

const password = await resetPassword().catch(exitOnStartError);
console.log(`The new password of '${ADMINISTRATOR_NAME}' is ${password}`);
console.log('It has to be changed at the next sign-in. Sessions of the administrator have ended.');
