/** Lists all alerts that concern a person, and mutes them for this person. */
import { AppError } from '#server/base/app-error.ts';
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import type { Database } from '#server/db/database.ts';
import { RULE_SCOPES, type RuleScope } from '#shared/contract/alert-rule-scopes.ts';
import { ALERT_PAGE_SIZE, type AlertEntry } from '#shared/contract/alert-rules.ts';
import {
  deleteMute,
  listOverview,
  listOwnMutes,
  saveMute,
  type OverviewPage,
  type OverviewRow,
} from './alert-overview-repository.ts';
import { conditionOf } from './alerts-repository.ts';

export interface AlertOverviewService {
  list(person: Person, query: { Name?: string; Before?: number }): Promise<{ Items: AlertEntry[]; HasMore: boolean }>;
  /**
   * @param minutes null until the person unmutes it
   * @throws an AppError 404 if the alert does not concern the person
   */
  mute(person: Person, id: number, minutes: number | null): Promise<void>;
  unmute(person: Person, id: number): Promise<void>;
}

const alertNotFound = (): AppError => new AppError('alertNotFound', 404, 'There is no such alert');

export function createAlertOverviewService(
  { knex, dialect }: Database,
  access: Pick<ChecklistAccess, 'scopes'>,
): AlertOverviewService {
  const read = async (person: Person, page: Pick<OverviewPage, 'name' | 'before' | 'id' | 'limit'>) => {
    const scopes = await access.scopes(person);
    const of = { ...page, scopes, userId: person.UserId, isAdmin: person.IsUserAdmin };
    return { scopes, rows: await listOverview(knex, dialect, of) };
  };
  return {
    list: async (person, { Name, Before }) => {
      const page = { name: Name ?? null, before: Before ?? null, id: null, limit: ALERT_PAGE_SIZE + 1 };
      const { scopes, rows } = await read(person, page);
      const shown = rows.slice(0, ALERT_PAGE_SIZE);
      const ids = shown.map(({ Id }) => Id);
      const mutes = await listOwnMutes(knex, dialect, person.UserId, ids);
      const Items = shown.map((row): AlertEntry => {
        const isMine = row.UserId === person.UserId;
        const mayEdit = row.Scope === null ? mayEditOwner(row, scopes) : isMine;
        return {
          ...viewOf(row),
          LastTime: row.LastTime?.toISOString() ?? null,
          CanEdit: mayEdit,
          CanDelete: mayEdit || (row.Scope !== null && person.IsUserAdmin),
          IsMuted: mutes.has(row.Id),
          MutedUntil: mutes.get(row.Id)?.toISOString() ?? null,
        };
      });
      return { Items, HasMore: rows.length > shown.length };
    },
    mute: async (person, id, minutes) => {
      const { rows } = await read(person, { name: null, before: null, id, limit: 1 });
      if (rows.length === 0) throw alertNotFound();
      await saveMute(knex, dialect, { AlertId: id, UserId: person.UserId, minutes });
    },
    unmute: (person, id) => deleteMute(knex, id, person.UserId),
  };
}

type Scopes = Parameters<typeof listOverview>[2]['scopes'];

function mayEditOwner(row: OverviewRow, scopes: Scopes): boolean {
  return row.ActivityId === null
    ? isInScope(scopes.editChecklist, { Schema: row.ChecklistSchema ?? '' })
    : isInScope(scopes.edit, { Id: row.ActivityId, Schema: row.ActivitySchema ?? '' });
}

function viewOf(row: OverviewRow) {
  const { Id, Name, IsActive, ActivityId, ChecklistId, ActivityName, ChecklistName, ScopeValue } = row;
  const Scope: RuleScope | null = RULE_SCOPES.find((scope) => scope === row.Scope) ?? null;
  const kind: AlertEntry['OwnerKind'] = Scope !== null ? 'Rule' : ActivityId === null ? 'Checklist' : 'Activity';
  return {
    Id,
    Name,
    IsActive,
    Condition: conditionOf(row),
    OwnerKind: kind,
    OwnerId: ActivityId ?? ChecklistId,
    OwnerName: ActivityName ?? ChecklistName ?? '',
    Scope,
    ScopeValue: ScopeValue ?? '',
    UserFullName: fullName(row),
  };
}
