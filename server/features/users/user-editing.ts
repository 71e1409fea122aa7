/** Creates users and changes their fields. */
import { userIssues, type UserFields } from '#shared/rules/user-rules.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions, type NewAction } from '#server/access/audit/record-actions.ts';
import type { PasswordKeysService } from '#server/features/sessions/password-keys-service.ts';
import { hashPassword } from './password-hash.ts';
import type { PasswordOwner, PasswordPolicy } from '#server/access/sign-in/password-policy.ts';
import { requireRemainingAdministrator } from './last-administrator.ts';
import { linkPath, type PasswordLinks } from './password-links.ts';
import { deletePasswordLinks } from './password-links-repository.ts';
import type { UserOrigins } from './user-origins.ts';
import { userForbidden } from './user-view.ts';
import { updateChangedColumns } from './users-list-repository.ts';
import { findScreenChoices, insertUser, userNameKey, type UserRow } from './users-repository.ts';

export interface UserChange extends UserFields {
  MiddleName: string;
  LastName: string;
  IsUserAdmin?: boolean;
  /** True if the user must sign in with a second factor. */
  SecondFactorRequired?: boolean;
  /** True if the user may not download input files of runs. */
  DisableInputDownload?: boolean;
}

export interface EditingDeps {
  database: Pick<Database, 'knex' | 'dialect'>;
  keys: PasswordKeysService;
  policy: PasswordPolicy;
  allowAdminToSetPassword: boolean;
  links: PasswordLinks;
  origins: UserOrigins;
}

export interface CreatedUser {
  UserId: number;
  /** Why the mail with the link to set a password was not sent. */
  Warning?: string;
  /**
   * Only set if no mail can be sent: a single-use path of the portal with which the user sets the password, to be
   * passed on manually.
   */
  SetPasswordPath?: string;
}

const NO_ADDRESS = 'Please enter an email address for the link to set the password';

/**
 * Adds a local user, who must change the password at the first sign-in. A user without a password gets a link to set
 * it: by mail or, if mails cannot be sent, from the person who created the user.
 */
export async function createLocalUser(
  deps: EditingDeps,
  actor: Actor,
  change: UserChange,
  encrypted: string | undefined,
): Promise<CreatedUser> {
  const fields = cleanFields(change);
  if (fields.IsUserAdmin && !actor.IsUserAdmin) throw userForbidden();
  const PasswordHash = encrypted === undefined ? null : await hashPasswordSetByAdmin(deps, actor, change, encrypted);
  const isMailed = deps.links.isOffered;
  if (PasswordHash === null) checkLinkable(actor, fields, isMailed);
  const MustChangePassword = PasswordHash !== null;
  const row = { ...fields, Source: 'Local' as const, Enabled: true, PasswordHash, MustChangePassword };
  const TargetUserName = fields.UserName;
  const actions: NewAction[] = [{ Action: 'CreateUser', TargetUserName }];
  if (fields.IsUserAdmin) actions.push({ Action: 'MakeAdministrator', TargetUserName });
  if (fields.SecondFactorRequired) actions.push({ Action: 'RequireSecondFactor', TargetUserName });
  if (fields.DisableInputDownload) actions.push({ Action: 'DisableInputDownload', TargetUserName });
  if (PasswordHash === null && !isMailed) actions.push({ Action: 'ShowPasswordLink', TargetUserName });
  const { UserId, token } = await nameTaken(deps, async (trx) => {
    const UserId = await insertUser(trx, row);
    const token = PasswordHash === null ? await deps.links.issue(trx, UserId, 'first') : null;
    await recordActions(trx, actor, actions);
    return { UserId, token };
  });
  if (token === null) return { UserId };
  if (!isMailed) return { UserId, SetPasswordPath: linkPath(token) };
  // A new user has not chosen a language: the mail uses that of the person who invites.
  const { Language } = await findScreenChoices(deps.database.knex, actor.UserId);
  try {
    await deps.links.mail({ ...row, UserId, Language }, token, 'first');
    return { UserId };
  } catch (error) {
    // The user was created anyway. The creator learns why no mail was sent, and can send another link.
    if (!(error instanceof AppError)) throw error;
    return { UserId, Warning: error.message };
  }
}

async function hashPasswordSetByAdmin(
  deps: EditingDeps,
  actor: Actor,
  user: UserChange,
  encrypted: string,
): Promise<string> {
  if (!deps.allowAdminToSetPassword || !actor.hasSession) throw userForbidden();
  return hashPassword(await readPassword(deps, user, encrypted));
}

/**
 * Throws an AppError if a new user could not be given a link: 400 without a mail address, 403 for an API key. An API
 * key may not set passwords.
 */
function checkLinkable(actor: Actor, { Email }: { Email: string }, isMailed: boolean): void {
  if (!isMailed && !actor.hasSession) throw userForbidden();
  if (isMailed && Email === '') throw refusal('noMailAddress', NO_ADDRESS, { Email: [NO_ADDRESS] });
}

/** Changes a local user. The caller must have checked that the actor may do so. */
export async function updateLocalUser(deps: EditingDeps, actor: Actor, user: UserRow, change: UserChange) {
  const { IsUserAdmin = user.IsUserAdmin, SecondFactorRequired = user.SecondFactorRequired } = change;
  const { DisableInputDownload = user.DisableInputDownload } = change;
  const fields = cleanFields({ ...change, IsUserAdmin, SecondFactorRequired, DisableInputDownload });
  // Links to set a password are mailed to this address, so an API key may change neither.
  const isOfSignIn = fields.Email !== user.Email || fields.SecondFactorRequired !== user.SecondFactorRequired;
  if (isOfSignIn && !actor.hasSession) throw userForbidden();
  const actions: NewAction[] = [
    { Action: 'UpdateUser', TargetUserName: fields.UserName },
    ...setAdministration(actor, user, fields.IsUserAdmin, fields.UserName),
    ...setInputDownload(user, fields.DisableInputDownload, fields.UserName),
  ];
  if (fields.SecondFactorRequired !== user.SecondFactorRequired) {
    const Action = fields.SecondFactorRequired ? 'RequireSecondFactor' : 'WaiveSecondFactor';
    actions.push({ Action, TargetUserName: fields.UserName });
  }
  await nameTaken(deps, async (trx) => {
    await updateChangedColumns(trx, user, fields);
    if (user.IsUserAdmin && !fields.IsUserAdmin) await requireRemainingAdministrator(trx);
    if (fields.Email !== user.Email) await deletePasswordLinks(trx, user.UserId);
    await recordActions(trx, actor, actions);
  });
}

/**
 * Returns what to log if a user becomes an administrator or no longer is one. Throws an AppError if the actor may not
 * change that.
 */
export function setAdministration(
  actor: Actor,
  user: UserRow,
  isUserAdmin: boolean,
  TargetUserName: string,
): NewAction[] {
  if (isUserAdmin === user.IsUserAdmin) return [];
  if (!actor.IsUserAdmin) throw userForbidden();
  if (user.UserId === actor.UserId) {
    throw new AppError('oneself', 400, 'You cannot revoke your own administrator status');
  }
  return [{ Action: isUserAdmin ? 'MakeAdministrator' : 'RevokeAdministrator', TargetUserName }];
}

/** Returns what to log if a user's permission to download input files changes. */
export function setInputDownload(user: UserRow, isDisabled: boolean, TargetUserName: string): NewAction[] {
  if (isDisabled === user.DisableInputDownload) return [];
  return [{ Action: isDisabled ? 'DisableInputDownload' : 'EnableInputDownload', TargetUserName }];
}

/** Returns the plain text of a new password. Throws an AppError 400 if it violates the policy. */
export async function readPassword(
  { keys, policy }: Pick<EditingDeps, 'keys' | 'policy'>,
  owner: PasswordOwner & { UserName: string },
  encrypted: string,
): Promise<string> {
  const [password = ''] = await keys.decrypt(userNameKey(owner.UserName), [encrypted]);
  const issue = policy.issue(password, owner);
  if (issue !== null) throw refusal('passwordPolicy', issue, { '': [issue], Password: [issue] });
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
    const text = 'A user with this name already exists';
    throw new AppError('userExists', 400, text, { cause, modelState: { UserName: [text] } });
  }
}

function refusal(code: string, text: string, modelState: Record<string, string[]>): AppError {
  return new AppError(code, 400, text, { modelState });
}

/** Returns the columns of a user, trimmed. Throws an AppError 400 with problems by field. */
export function cleanFields(change: UserChange) {
  const { UserName, FirstName, MiddleName, LastName, Email, IsUserAdmin = false } = change;
  const { SecondFactorRequired = false, DisableInputDownload = false } = change;
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
  return { ...fields, UserNameKey: userNameKey(UserName), IsUserAdmin, SecondFactorRequired, DisableInputDownload };
}
