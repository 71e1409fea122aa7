/** Adds many people at once: previews a list, then creates users and adds users to roles. */
import type { EnableOutcome, ImportedUser, ImportOutcome } from '#shared/contract/user-import.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Actor } from '#server/access/actor.ts';
import type { ImportOrigin, UserImportDeps, Who } from './import-deps.ts';
import { previewImport, type ImportPreview, type PreviewRequest } from './preview-import.ts';

export interface UserImportService {
  /** Changes nothing. Throws an AppError: 400 if the text cannot be read, 403 for roles without sk.ManageRoles. */
  preview(who: Who, request: PreviewRequest): Promise<ImportPreview>;
  /**
   * Each user succeeds or fails separately. Before the first change, throws an AppError if one of the roles does not
   * exist or may not be given by the actor.
   */
  create(who: Who, users: readonly ImportedUser[], origin: ImportOrigin): Promise<ImportOutcome[]>;
  setEnabled(actor: Actor, userIds: readonly number[], enabled: boolean): Promise<EnableOutcome[]>;
}

export function createUserImportService(deps: UserImportDeps): UserImportService {
  return {
    preview: async (who, request) => {
      if (request.Roles.length > 0) await deps.rights.require(who.person, 'sk.ManageRoles');
      return previewImport(deps, who, request);
    },
    create: (who, users, origin) => importAll(deps, who, users, origin),
    setEnabled: async (actor, userIds, enabled) => {
      const outcomes: EnableOutcome[] = [];
      for (const userId of userIds) outcomes.push(await setOneEnabled(deps, actor, userId, enabled));
      return outcomes;
    },
  };
}

const UNEXPECTED = 'This failed unexpectedly. The log of the server has the reason.';

/** Returns null if the work succeeded, else the message for people. */
async function problemOf({ log }: UserImportDeps, work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    // The outcomes of the other users must still reach the caller.
    log.error({ err: error }, 'could not change a user of a list');
    return UNEXPECTED;
  }
}

async function importAll(
  deps: UserImportDeps,
  { person, actor }: Who,
  imported: readonly ImportedUser[],
  origin: ImportOrigin,
): Promise<ImportOutcome[]> {
  const { roles, rights } = deps;
  const roleNames = [...new Set(imported.flatMap(({ Roles }) => Roles))];
  if (roleNames.length > 0) await rights.require(person, 'sk.ManageRoles');
  for (const name of roleNames) await roles.requireIncludable(actor, name);
  const outcomes: ImportOutcome[] = [];
  // One after the other: a mail server often refuses several connections at once.
  for (const user of imported) outcomes.push(await createOne(deps, actor, user, origin));
  for (const name of roleNames) {
    const included = outcomes.filter(({ UserId }, index) => UserId !== null && imported[index]!.Roles.includes(name));
    const ids = included.map(({ UserId }) => UserId!);
    const problem = ids.length === 0 ? null : await problemOf(deps, () => roles.include(actor, name, ids));
    for (const outcome of included) {
      if (problem === null) outcome.Roles.push(name);
      else outcome.Problems.push(problem);
    }
  }
  return outcomes;
}

/** Creates the user, unless the user exists and is only added to roles. */
async function createOne(
  deps: UserImportDeps,
  actor: Actor,
  user: ImportedUser,
  origin: ImportOrigin,
): Promise<ImportOutcome> {
  const { UserId, UserName, FirstName, MiddleName, LastName, Email } = user;
  const none = { IsCreated: false, IsMailed: false, SetPasswordPath: null };
  const outcome: ImportOutcome = { UserName, Email, UserId, ...none, Roles: [], Problems: [] };
  if (UserId !== null) return outcome;
  const problem = await problemOf(deps, async () => {
    const created = await deps.users.create(
      actor,
      { UserName, FirstName, MiddleName, LastName, Email, ...origin },
      undefined,
    );
    const { Warning, SetPasswordPath } = created;
    const isLocal = (origin.Source ?? 'Local') === 'Local';
    outcome.UserId = created.UserId;
    outcome.IsCreated = true;
    outcome.SetPasswordPath = SetPasswordPath ?? null;
    outcome.IsMailed = isLocal && SetPasswordPath === undefined && Warning === undefined;
    if (Warning !== undefined) outcome.Problems.push(Warning);
  });
  if (problem !== null) outcome.Problems.push(problem);
  return outcome;
}

async function setOneEnabled(
  deps: UserImportDeps,
  actor: Actor,
  UserId: number,
  enabled: boolean,
): Promise<EnableOutcome> {
  const { users } = deps;
  const outcome: EnableOutcome = { UserId, UserName: '', IsChanged: false, Problem: null };
  outcome.Problem = await problemOf(deps, async () => {
    const { UserName, Enabled } = await users.profile(UserId);
    outcome.UserName = UserName;
    if (Enabled === enabled) return;
    await (enabled ? users.enable : users.disable)(actor, UserId);
    outcome.IsChanged = true;
  });
  return outcome;
}
