/**
 * Explains why a person can or cannot do something with an activity. For people who see the security matrix, for people
 * who may share the activity, and for everybody about themselves.
 */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { ALL } from '#server/access/rights/grants.ts';
import { answerRight } from '#server/access/rights/right-answer.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import { NOT_FOR_INTERNET } from '#server/access/rights/right-implications.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type {
  AccessFix,
  AccessReason,
  AccessReasons,
  reasonActivities,
  reasonPeople,
} from '#shared/contract/access-reasons.ts';
import type { QueryOf, ResultOf } from '#shared/contract/endpoint.ts';
import { RIGHT_NAMES, RIGHTS, type RightName } from '#shared/contract/rights.ts';
import { LEVEL_BRINGS, SHARE_LEVELS } from '#shared/rules/share-levels.ts';
import { explainRight, type PersonalGrant } from './reason-steps.ts';
import {
  findExplainedActivity,
  findExplainedUser,
  listInternetGrants,
  listPersonalGrants,
  listSeen,
  type ExplainedActivity,
  type ExplainedUser,
} from './reasons-repository.ts';
import { userHolder } from './share-list.ts';
import { findUsers, searchUsers } from './shares-repository.ts';
import type { SharingAccess } from '#server/access/sharing-access.ts';
import { shownName } from './shown-name.ts';

export interface ReasonsService {
  /** Throws an AppError 404 if there is no such user or the person may not see the activity; 403 if they may not ask. */
  explain(person: Person, userId: number, activityId: number): Promise<AccessReasons>;
  /** Throws an AppError 403 if the person may not ask about others. */
  people(person: Person, query: QueryOf<typeof reasonPeople>): Promise<ResultOf<typeof reasonPeople>>;
  activities(person: Person, query: QueryOf<typeof reasonActivities>): Promise<ResultOf<typeof reasonActivities>>;
}

export interface ReasonsDeps {
  database: Database;
  rights: Pick<RightsService, 'has'>;
  access: Pick<ActivityAccess, 'require' | 'scopes'>;
  sharing: SharingAccess;
  hasTrustedNetworks: boolean;
}

const OFFERED = 8;
/** Rights on single activities. */
const EXPLAINED = RIGHT_NAMES.filter((name) => (RIGHTS[name].KeyColumns as readonly string[]).includes('Id'));

const forbidden = (): AppError => new AppError('forbidden', 403, 'You do not have permissions for this operation');
const userNotFound = (): AppError => new AppError('userNotFound', 404, 'There is no such user');

export function createReasonsService(deps: ReasonsDeps): ReasonsService {
  const { database, rights, access, sharing } = deps;
  const { knex } = database;
  const isAuditor = (person: Person): Promise<boolean> => rights.has(person, 'sk.ViewSecurityMatrix');
  return {
    explain: async (person, userId, activityId) => {
      const activity = await requireActivity(deps, person, { userId, activityId, isAuditor: await isAuditor(person) });
      const user = await findExplainedUser(knex, userId);
      if (!user) throw userNotFound();
      return explain(deps, person, user, activity);
    },
    people: async (person, { Search = '', Id }) => {
      const mayAsk = (await isAuditor(person)) || (await sharing.scope(person)).kind !== 'nothing';
      if (!mayAsk) throw forbidden();
      // A disabled account is one of the reasons that people look for.
      const users =
        Id === undefined
          ? await searchUsers(knex, Search.trim(), { limit: OFFERED + 1, isEnabledOnly: false })
          : await findUsers(knex, [Id]);
      return { Items: users.slice(0, OFFERED).map(userHolder), HasMore: users.length > OFFERED };
    },
    activities: async (person, { Search = '', Id }) => {
      const scopes = (await isAuditor(person)) ? null : await access.scopes(person);
      const found = await listSeen(knex, scopes, { search: Search.trim(), id: Id, limit: OFFERED + 1 });
      return { Items: found.slice(0, OFFERED), HasMore: found.length > OFFERED };
    },
  };
}

async function requireActivity(
  { database: { knex }, access, sharing }: ReasonsDeps,
  person: Person,
  { userId, activityId, isAuditor }: { userId: number; activityId: number; isAuditor: boolean },
): Promise<ExplainedActivity> {
  const found = isAuditor ? await findExplainedActivity(knex, activityId) : undefined;
  if (found) return found;
  const visible = await access.require(knex, person, activityId);
  if (userId !== person.UserId && !(await sharing.mayShare(person, visible))) throw forbidden();
  return visible.activity;
}

async function explain(
  deps: ReasonsDeps,
  person: Person,
  user: ExplainedUser,
  activity: ExplainedActivity,
): Promise<AccessReasons> {
  const { database, rights, sharing, hasTrustedNetworks } = deps;
  const { knex } = database;
  const { UserId, UserName, Enabled, IsUserAdmin } = user;
  const keys = { Id: activity.Id, Schema: activity.Schema };
  const grants = IsUserAdmin ? [] : await listPersonalGrants(knex, UserId);
  const internet = hasTrustedNetworks ? await listInternetGrants(knex) : [];
  const CanManage = await sharing.isManager(person);
  const applicable = await fixesOf(deps, person, { activity, grants });
  return {
    UserId,
    UserName,
    UserFullName: shownName(user),
    IsEnabled: Enabled,
    IsUserAdmin,
    CanEnable: !Enabled && (await rights.has(person, 'sk.ManageUsers')),
    ActivityId: activity.Id,
    ActivityName: activity.Name,
    Schema: activity.Schema,
    IsActive: activity.IsActive,
    HasTrustedNetworks: hasTrustedNetworks,
    CanManage,
    Rights: EXPLAINED.map((Right): AccessReason => {
      const CountsOutside =
        !hasTrustedNetworks || Right === NOT_FOR_INTERNET || answerRight(internet, Right, keys).access;
      if (IsUserAdmin) return { Right, Access: true, Steps: [], Fix: null, CountsOutside };
      const { access: Access, steps: Steps, fix } = explainRight(grants, Right, keys);
      return { Right, Access, Steps, Fix: { ...fix, CanApply: applicable(Right, fix) }, CountsOutside };
    }),
  };
}

type CanApply = (right: RightName, fix: Omit<AccessFix, 'CanApply'>) => boolean;

/** Returns which changes the person may make. People who do not manage rights may only share and take shares back. */
async function fixesOf(
  { rights, sharing, access }: ReasonsDeps,
  person: Person,
  { activity, grants }: { activity: ExplainedActivity; grants: readonly PersonalGrant[] },
): Promise<CanApply> {
  const isManager = await sharing.isManager(person);
  const managesRoles = await rights.has(person, 'sk.ManageRoles');
  const scopes = await access.scopes(person);
  const CanEdit = isInScope(scopes.edit, { Id: activity.Id, Schema: activity.Schema });
  const mayShare = await sharing.mayShare(person, { CanEdit });
  const givable: readonly string[] = mayShare ? await sharing.givable(person, LEVEL_BRINGS.Edit, activity) : [];
  const isDenied = grants.some(
    ({ Access, KeyColumnName, KeyColumnValue }) =>
      Access === -1 && (KeyColumnName === ALL || [activity.Schema, String(activity.Id)].includes(KeyColumnValue)),
  );
  return (right, { Kind, Scope }) => {
    if (Kind === 'EnableRole') return managesRoles;
    if (isManager) return true;
    if (Kind === 'RemoveGrant')
      return mayShare && Scope === 'Activity' && (LEVEL_BRINGS.Edit as readonly string[]).includes(right);
    if (Kind !== 'Grant' || isDenied) return false;
    const level = SHARE_LEVELS.find((one) => LEVEL_BRINGS[one].at(-1) === right);
    return level !== undefined && LEVEL_BRINGS[level].every((brought) => givable.includes(brought));
  };
}
