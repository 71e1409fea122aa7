import { pino } from 'pino';
import type { Database } from '#server/db/database.ts';
import { createSessionsService } from '#server/features/sessions/sessions-service.ts';
import { createUsersService } from '#server/features/users/users-service.ts';

/** Creates an administrator and a token directly in the database. */
export async function administratorToken(database: Database): Promise<{ UserId: number; token: string }> {
  const log = pino({ level: 'silent' });
  const sessions = createSessionsService({ database, log, tokenMinutes: 30, inactivityMinutes: 30, sessionHours: 24 });
  const users = createUsersService(database);
  const UserId = await users.createUser({ UserName: 'faults', password: 'Correct-Horse-7', IsUserAdmin: true });
  return { UserId, token: (await sessions.start(database.knex, UserId, '127.0.0.1')).token };
}
