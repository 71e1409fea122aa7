/** Adds many people at once: previews a list, then creates users and adds users to roles. */
import type { EnableOutcome, ImportedUser, ImportOutcome } from '#shared/contract/user-import.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Actor } from '#server/features/security-actions/actor.ts';
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

const UNEXPECTED = 'This failed unexpectedly. The log of the server has the reason.';

export function createUserImportService(deps: UserImportDeps): UserImportService {
  const { users, roles, rights, log } = deps;

  /** Returns null if the work succeeded, else the message for people. */
  async function problemOf(work: () => Promise<unknown>): Promise<string | null> {
    try {
      await work();
      return null;
    } catch (error) {
      if (error instanceof AppError) return error.message;
      // The outcomes of the other users must still reach the caller.
      log.error({ err: error }, 'a user of a list could not be changed');
      return UNEXPECTED;
    }
  }

  async function createOne(actor: Actor, imported: ImportedUser, origin: ImportOrigin): Promise<ImportOutcome> {
    const { UserId, Roles: _, ...fields } = imported;
    const { UserName, Email } = fields;
    const none = { IsCreated: false, IsMailed: false, SetPasswordPath: null, Roles: [], Problems: [] };
    const outcome: ImportOutcome = { UserName, Email, UserId, ...none };
    if (UserId !== null) return outcome;
    const problem = await problemOf(async () => {
      const created = await users.create(actor, { ...fields, ...origin }, undefined);
      const isLocal = (origin.Source ?? 'Local') === 'Local';
      outcome.UserId = created.UserId;
      outcome.IsCreated = true;
      outcome.SetPasswordPath = created.SetPasswordPath ?? null;
      outcome.IsMailed = isLocal && created.SetPasswordPath === undefined && created.Warning === undefined;
      if (created.Warning !== undefined) outcome.Problems.push(created.Warning);
    });
    if (problem !== null) outcome.Problems.push(problem);
    return outcome;
  }

  async function create({ person, actor }: Who, imported: readonly ImportedUser[], origin: ImportOrigin) {
    const roleNames = [...new Set(imported.flatMap(({ Roles }) => Roles))];
    if (roleNames.length > 0) await rights.require(person, 'sk.ManageRoles');
    for (const name of roleNames) await roles.requireIncludable(actor, name);
    const outcomes: ImportOutcome[] = [];
    // One after the other: a mail server often refuses several connections at once.
    for (const user of imported) outcomes.push(await createOne(actor, user, origin));
    for (const name of roleNames) {
      const included = outcomes.filter(({ UserId }, index) => UserId !== null && imported[index]!.Roles.includes(name));
      const ids = included.map(({ UserId }) => UserId!);
      const problem = ids.length === 0 ? null : await problemOf(() => roles.include(actor, name, ids));
      for (const outcome of included) {
        if (problem === null) outcome.Roles.push(name);
        else outcome.Problems.push(problem);
      }
    }
    return outcomes;
  }

  return {
    preview: async (who, request) => {
      if (request.Roles.length > 0) await rights.require(who.person, 'sk.ManageRoles');
      return previewImport(deps, who, request);
    },
    create,
    setEnabled: async (actor, userIds, enabled) => {
      const outcomes: EnableOutcome[] = [];
      for (const UserId of userIds) {
        const outcome: EnableOutcome = { UserId, UserName: '', IsChanged: false, Problem: null };
        outcome.Problem = await problemOf(async () => {
          const { UserName, Enabled } = await users.profile(UserId);
          outcome.UserName = UserName;
          if (Enabled === enabled) return;
          await (enabled ? users.enable : users.disable)(actor, UserId);
          outcome.IsChanged = true;
        });
        outcomes.push(outcome);
      }
      return outcomes;
    },
  };
}
