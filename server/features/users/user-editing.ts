/** New users, and changes of what is known of them. */
import { passwordIssues } from '#shared/rules/password-rules.ts';
import { userIssues, type UserFields } from '#shared/rules/user-rules.ts';
import { AppError } from '#server/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Actor } from '#server/features/security-actions/actor.ts';
import { recordActions, type NewAction } from '#server/features/security-actions/record-actions.ts';
import type { PasswordKeysService } from '#server/features/sessions/password-keys-service.ts';
import { hashPassword } from './password-hash.ts';
import type { UserOrigins } from './user-origins.ts';
import { userForbidden } from './user-view.ts';
import { updateUserRow } from './users-list-repository.ts';
import { insertUser, userNameKey, type UserRow } from './users-repository.ts';

export interface UserChange extends UserFields {
  MiddleName: string;
  LastName: string;
  IsUserAdmin?: boolean;
}

export interface EditingDeps {
  database: Pick<Database, 'knex' | 'dialect'>;
  keys: PasswordKeysService;
  allowAdminToSetPassword: boolean;
  origins: UserOrigins;
}

const NO_MAIL =
  'Please enter a password: a link to set one cannot be sent, because no mail server is configured for this portal';

/** Adds a local user, who has to change the password at the first sign-in; answers the UserId. */
export async function createLocalUser(
  deps: EditingDeps,
  actor: Actor,
  change: UserChange,
  encrypted: string | undefined,
): Promise<number> {
  const fields = cleanFields(change);
  if (fields.IsUserAdmin && !actor.IsUserAdmin) throw userForbidden();
  if (encrypted === undefined) throw refusal('noMail', NO_MAIL, { Password: [NO_MAIL] });
  if (!deps.allowAdminToSetPassword) throw userForbidden();
  const PasswordHash = await hashPassword(await readPassword(deps.keys, change.UserName, encrypted));
  const row = { ...fields, Source: 'Local' as const, Enabled: true, PasswordHash, MustChangePassword: true };
  const TargetUserName = fields.UserName;
  const actions: NewAction[] = [{ Action: 'CreateUser', TargetUserName }];
  if (fields.IsUserAdmin) actions.push({ Action: 'MakeAdministrator', TargetUserName });
  return nameTaken(deps, async (trx) => {
    const userId = await insertUser(trx, row);
    await recordActions(trx, actor, actions);
    return userId;
  });
}

/** Changes a local user whom the actor may change. */
export async function updateLocalUser(deps: EditingDeps, actor: Actor, user: UserRow, change: UserChange) {
  const fields = cleanFields({ ...change, IsUserAdmin: change.IsUserAdmin ?? user.IsUserAdmin });
  const actions: NewAction[] = [
    { Action: 'UpdateUser', TargetUserName: fields.UserName },
    ...setAdministration(actor, user, fields.IsUserAdmin, fields.UserName),
  ];
  await nameTaken(deps, async (trx) => {
    await updateUserRow(trx, user.UserId, fields);
    await recordActions(trx, actor, actions);
  });
}

/** What is logged where a user becomes an administrator, or is none any more; throws an AppError where the actor may not do that. */
export function setAdministration(
  actor: Actor,
  user: UserRow,
  isUserAdmin: boolean,
  TargetUserName: string,
): NewAction[] {
  if (isUserAdmin === user.IsUserAdmin) return [];
  if (!actor.IsUserAdmin) throw userForbidden();
  if (user.UserId === actor.UserId) {
    throw new AppError('oneself', 400, 'You cannot take away your own administration');
  }
  return [{ Action: isUserAdmin ? 'MakeAdministrator' : 'RevokeAdministrator', TargetUserName }];
}

/** The plain text of a new password; throws an AppError 400 where it is against the policy. */
export async function readPassword(keys: PasswordKeysService, userName: string, encrypted: string): Promise<string> {
  const [password = ''] = await keys.decrypt(userNameKey(userName), [encrypted]);
  const [issue] = passwordIssues(password);
  if (issue !== undefined) throw refusal('passwordPolicy', issue, { '': [issue], Password: [issue] });
  return password;
}

export async function nameTaken<T>(
  { database: { knex, dialect } }: EditingDeps,
  work: Parameters<typeof inTransaction<T>>[1],
): Promise<T> {
  try {
    return await inTransaction(knex, work);
  } catch (cause) {
    if (dialect.classify(cause).fault !== 'unique') throw cause;
    const text = 'A user of this name already exists';
    throw new AppError('userExists', 400, text, { cause, modelState: { UserName: [text] } });
  }
}

function refusal(code: string, text: string, modelState: Record<string, string[]>): AppError {
  return new AppError(code, 400, text, { modelState });
}

/** The columns of a user, trimmed; throws an AppError 400 that says by field what is wrong. */
export function cleanFields({ UserName, FirstName, MiddleName, LastName, Email, IsUserAdmin = false }: UserChange) {
  const fields = {
    UserName: UserName.trim(),
    FirstName: FirstName.trim(),
    MiddleName: MiddleName.trim(),
    LastName: LastName.trim(),
    Email: Email.trim(),
  };
  const issues = Object.entries(userIssues(fields));
  if (issues.length > 0) {
    const modelState = Object.fromEntries(issues.map(([field, text]) => [field, [text]]));
    throw new AppError('userFields', 400, issues[0]![1], { modelState });
  }
  return { ...fields, UserNameKey: userNameKey(UserName), IsUserAdmin };
}
