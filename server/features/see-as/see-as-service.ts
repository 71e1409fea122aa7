/** Shows what a person sees: the same lists and rights that the person's own calls would get. */
import type { ActivityList } from '#shared/contract/activities.ts';
import { RIGHT_NAMES } from '#shared/contract/rights.ts';
import { RUN_RIGHTS, type SeenPortal } from '#shared/contract/see-as.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import { isInScope, type RightScope } from '#server/access/rights/right-scope.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { SharingAccess } from '#server/access/sharing-access.ts';
import { AppError } from '#server/base/app-error.ts';
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ApprovalsService } from '#server/features/approvals/approvals-service.ts';
import type { PluginsService } from '#server/features/plugins/plugins-service.ts';
import { findSeeingUser, type SeeingUser } from './see-as-repository.ts';

export interface SeeAsService {
  /** Records the action. Throws an AppError 404 if there is no such user. */
  see(actor: Actor, userId: number): Promise<SeenPortal>;
}

export interface SeeAsDeps {
  database: Pick<Database, 'knex'>;
  rights: Pick<RightsService, 'heldAnywhere' | 'scope'>;
  sharing: Pick<SharingAccess, 'mayShare'>;
  activities: Pick<ActivitiesService, 'list'>;
  approvals: Pick<ApprovalsService, 'count'>;
  plugins: Pick<PluginsService, 'list'>;
  hasTrustedNetworks: boolean;
}

export function createSeeAsService(deps: SeeAsDeps): SeeAsService {
  const { knex } = deps.database;
  return {
    see: async (actor, userId) => {
      const user = await findSeeingUser(knex, userId);
      if (!user) throw new AppError('userNotFound', 404, 'There is no such user');
      const seen = await portalOf(deps, user);
      await inTransaction(knex, (trx) =>
        recordActions(trx, actor, [{ Action: 'SeeAs', TargetUserName: user.UserName }]),
      );
      return seen;
    },
  };
}

/** The person as in a call from inside the trusted networks. */
const personOf = ({ UserId, UserName, FirstName, LastName, Source, IsUserAdmin }: SeeingUser): Person => ({
  UserId,
  UserName,
  FirstName,
  LastName,
  Source,
  IsUserAdmin,
  SessionId: '',
});

async function portalOf(deps: SeeAsDeps, user: SeeingUser): Promise<SeenPortal> {
  const { rights, approvals, plugins, hasTrustedNetworks } = deps;
  const person = personOf(user);
  const held = await Promise.all(RIGHT_NAMES.map((right) => rights.heldAnywhere(person, right)));
  const { UserId, UserName, Source, IsUserAdmin, Enabled } = user;
  return {
    UserId,
    UserName,
    UserFullName: fullName(user) || UserName,
    IsEnabled: Enabled,
    IsUserAdmin,
    IsLocal: Source === 'Local',
    Rights: RIGHT_NAMES.filter((_, index) => held[index]),
    HasApprovals: (await approvals.count(person)).HasAny,
    PluginPages: (await plugins.list(person)).map(({ name }) => name),
    HasTrustedNetworks: hasTrustedNetworks,
    ...(await listOf(deps, person)),
  };
}

async function listOf(
  { activities, rights, sharing }: SeeAsDeps,
  person: Person,
): Promise<Pick<SeenPortal, 'Activities' | 'Checklists'>> {
  const { result } = JSON.parse((await activities.list(person)).toString()) as { result: ActivityList };
  const scopes: RightScope[] = await Promise.all(RUN_RIGHTS.map((right) => rights.scope(person, right)));
  const sharesAsEditor = await sharing.mayShare(person, { CanEdit: true });
  const sharesAll = await sharing.mayShare(person, { CanEdit: false });
  return {
    Activities: result.Activities.map(({ Id, Name, Schema, Type, IsActive, CanRun, CanEdit, LastRun }) => ({
      Id,
      Name,
      Schema,
      Type,
      IsActive,
      CanRun,
      CanEdit,
      CanShare: sharesAll || (CanEdit && sharesAsEditor),
      HasRun: LastRun !== null,
      Rights: RUN_RIGHTS.filter((_, index) => isInScope(scopes[index]!, { Id, Schema })),
    })),
    Checklists: result.Checklists.map(({ Id, Name, Schema, IsWorkflow, CanRun, CanEdit, LastRunId }) => ({
      Id,
      Name,
      Schema,
      IsWorkflow,
      CanRun,
      CanEdit,
      HasRun: LastRunId !== null,
    })),
  };
}
