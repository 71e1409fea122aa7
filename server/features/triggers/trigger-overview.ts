/** Lists a person's own triggers, and those of everything that they may edit. */
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import { TRIGGER_PAGE_SIZE, type TriggerEntry } from '#shared/contract/triggers.ts';
import { firingView } from './trigger-views.ts';
import { listEntries, listEvents } from './triggers-repository.ts';

export interface TriggerOverview {
  list(person: Person, query: { Name?: string; Before?: number }): Promise<{ Items: TriggerEntry[]; HasMore: boolean }>;
}

export function createTriggerOverview(
  { knex, dialect }: Database,
  access: Pick<ChecklistAccess, 'scopes'>,
): TriggerOverview {
  return {
    list: async (person, { Name, Before }) => {
      const scopes = await access.scopes(person);
      const rows = await listEntries(knex, dialect, {
        scopes,
        userId: person.UserId,
        name: Name ?? null,
        before: Before ?? null,
        limit: TRIGGER_PAGE_SIZE + 1,
      });
      const page = rows.slice(0, TRIGGER_PAGE_SIZE);
      const ids = page.map(({ Id }) => Id);
      const last = new Map((await listEvents(knex, ids, 1)).map((event) => [event.TriggerId, event]));
      const Items = page.map((row): TriggerEntry => {
        const { Id, Name: name, Kind, ActivityId, ActivityName, ActivitySchema, ChecklistName, ChecklistSchema } = row;
        const event = last.get(Id);
        const CanEdit =
          ActivityId === null
            ? isInScope(scopes.editChecklist, { Schema: ChecklistSchema ?? '' })
            : isInScope(scopes.edit, { Id: ActivityId, Schema: ActivitySchema ?? '' });
        return {
          Id,
          Name: name,
          Kind,
          OwnerKind: ActivityId === null ? 'Checklist' : 'Activity',
          OwnerId: ActivityId ?? row.ChecklistId ?? 0,
          OwnerName: ActivityName ?? ChecklistName ?? '',
          UserFullName: fullName(row),
          PausedTime: row.PausedTime?.toISOString() ?? null,
          PausedReason: row.PausedReason,
          LookMessage: row.LookMessage,
          Firing: event ? firingView(event) : null,
          CanEdit,
        };
      });
      return { Items, HasMore: rows.length > page.length };
    },
  };
}
