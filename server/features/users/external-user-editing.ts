/** Creates and changes users of directories and providers. */
import { cutName, EMAIL_MAX, asOneLine, isMailAddress } from '#shared/rules/user-rules.ts';
import { AppError } from '#server/base/app-error.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions, type NewAction } from '#server/access/audit/record-actions.ts';
import {
  cleanFields,
  nameTaken,
  setAdministration,
  setInputDownload,
  type CreatedUser,
  type EditingDeps,
  type UserChange,
} from './user-editing.ts';
import { requireRemainingAdministrator } from './last-administrator.ts';
import { originOf, requireInDirectory, sourceTaken, type OriginFields } from './user-origins.ts';
import { findUserBySource, insertUserSource } from './user-sources-repository.ts';
import { userForbidden } from './user-view.ts';
import { updateChangedColumns } from './users-list-repository.ts';
import { insertUser, type UserRow } from './users-repository.ts';

const PROFILE = ['UserName', 'FirstName', 'MiddleName', 'LastName', 'Email'] as const;

/** Adds a user who signs in with the password of a directory, or at a provider. */
export async function createExternalUser(
  deps: EditingDeps,
  actor: Actor,
  change: UserChange & OriginFields,
): Promise<CreatedUser> {
  if (change.IsUserAdmin && !actor.IsUserAdmin) throw userForbidden();
  const chosen = originOf(deps.origins, change);
  const isFetched = chosen.Source === 'AD' && deps.origins.profileFromDirectory;
  const found = isFetched
    ? await requireInDirectory(deps.origins, chosen.SourceUserName, chosen.SourceName)
    : { SourceUserName: chosen.SourceUserName, SourceInfo: '' };
  const source = { ...chosen, SourceUserName: found.SourceUserName };
  const fields = cleanFields('FirstName' in found ? { ...change, ...profileOf(found, change) } : change);
  const TargetUserName = fields.UserName;
  const actions: NewAction[] = [{ Action: 'CreateUser', TargetUserName }];
  if (fields.IsUserAdmin) actions.push({ Action: 'MakeAdministrator', TargetUserName });
  if (fields.DisableInputDownload) actions.push({ Action: 'DisableInputDownload', TargetUserName });
  const row = { ...fields, Source: source.Source, Enabled: true, PasswordHash: null, MustChangePassword: false };
  return nameTaken(deps, async (trx) => {
    const other = await findUserBySource(trx, source);
    if (other) throw sourceTaken();
    const userId = await insertUser(trx, row);
    await insertUserSource(trx, userId, source, found.SourceInfo);
    await recordActions(trx, actor, actions);
    return { UserId: userId };
  });
}

/** In directories, names may be longer than the portal allows, and first name or mail address may be missing. */
function profileOf(found: { FirstName: string; LastName: string; Email: string }, { UserName }: UserChange) {
  const Email = found.Email.slice(0, EMAIL_MAX);
  return {
    FirstName: cutName(asOneLine(found.FirstName).trim()) || cutName(UserName.trim()),
    MiddleName: '',
    LastName: cutName(asOneLine(found.LastName).trim()),
    Email: isMailAddress(Email) ? Email : '',
  };
}

/**
 * Names and e-mail come from the source, except for directory users if the setting ProfileDataFromAD is off. The user
 * name always comes from the source. The portal decides whether such a user is an administrator and may download input
 * files.
 */
export async function updateExternalUser(
  deps: EditingDeps,
  actor: Actor,
  user: UserRow,
  change: UserChange,
): Promise<void> {
  const hasOwnProfile = user.Source === 'AD' && !deps.origins.profileFromDirectory;
  const changed = PROFILE.filter((field) => change[field].trim() !== user[field]);
  if (changed.includes('UserName')) throw notLocal('The user name can be changed only for local users');
  if (changed.length > 0 && !hasOwnProfile) throw notLocal('Names and email can be changed only for local users');
  const IsUserAdmin = change.IsUserAdmin ?? user.IsUserAdmin;
  const DisableInputDownload = change.DisableInputDownload ?? user.DisableInputDownload;
  const actions: NewAction[] = [
    ...(changed.length > 0 ? [{ Action: 'UpdateUser' as const, TargetUserName: user.UserName }] : []),
    ...setAdministration(actor, user, IsUserAdmin, user.UserName),
    ...setInputDownload(user, DisableInputDownload, user.UserName),
  ];
  if (actions.length === 0) return;
  const { FirstName, MiddleName, LastName, Email } = changed.length > 0 ? cleanFields(change) : user;
  await inTransaction(deps.database.knex, async (trx) => {
    const profile = { FirstName, MiddleName, LastName, Email };
    await updateChangedColumns(trx, user, { ...profile, IsUserAdmin, DisableInputDownload });
    if (user.IsUserAdmin && !IsUserAdmin) await requireRemainingAdministrator(trx);
    await recordActions(trx, actor, actions);
  });
}

const notLocal = (text: string): AppError => new AppError('notLocal', 400, text);
