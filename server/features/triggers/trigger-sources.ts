/** Checks whether a person may use what a trigger waits for. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import { parseQueryText } from '#shared/codecs/query-text.ts';
import type { TriggerPlan } from '#shared/contract/triggers.ts';
import { refuse } from './trigger-checks.ts';

export interface TriggerSources {
  /**
   * Throws an AppError if the person may not see the activity or checklist whose ends it waits for, or may not use the
   * connection it queries.
   */
  requireSource(person: Person, plan: TriggerPlan): Promise<void>;
}

export function createTriggerSources(
  { knex }: Pick<Database, 'knex'>,
  access: Pick<ActivityAccess, 'require'>,
  checklistAccess: Pick<ChecklistAccess, 'require'>,
  connections: ConnectionAccess,
): TriggerSources {
  return {
    requireSource: async (person, plan) => {
      if (plan.Kind === 'Ended') {
        const { Source, SourceId } = plan;
        if (Source === 'Activity') await access.require(knex, person, SourceId);
        else await checklistAccess.require(knex, person, SourceId);
      }
      if (plan.Kind === 'Query') {
        const connection = await connections.require(person, plan.Connection).catch(refuseConnection);
        const { problem, parameters } = parseQueryText(plan.Sql, connection.kind);
        if (problem) refuse('Sql', `The query ${problem}`);
        if (parameters.length > 0) refuse('Sql', `There is no value for @${parameters[0]}`);
      }
    },
  };
}

function refuseConnection(error: unknown): never {
  if (error instanceof ConnectionError) throw new AppError('connectionRefused', 403, error.message, { cause: error });
  throw error;
}
