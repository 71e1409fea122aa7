/** Finds roles and people that an author may name in an approval. */
import { fullName } from '#server/base/full-name.ts';
import type { Database } from '#server/db/database.ts';
import type { BodyOf, ResultOf } from '#shared/contract/endpoint.ts';
import type { workflowApprovers } from '#shared/contract/workflows.ts';
import { findApprovers, listActiveRoles, searchApprovers, type ApproverRow } from './workflows-repository.ts';

export interface WorkflowApprovers {
  find(query: BodyOf<typeof workflowApprovers>): Promise<ResultOf<typeof workflowApprovers>>;
}

const MAX_PEOPLE = 100;

export function createWorkflowApprovers({ knex }: Pick<Database, 'knex'>): WorkflowApprovers {
  return {
    find: async ({ Search, UserIds = [] }) => {
      const matching = await searchApprovers(knex, Search ?? '', MAX_PEOPLE + 1);
      const named = UserIds.length === 0 ? [] : await findApprovers(knex, UserIds);
      const shown = new Map([...named, ...matching.slice(0, MAX_PEOPLE)].map((row) => [row.UserId, row]));
      return {
        Roles: await listActiveRoles(knex),
        Users: [...shown.values()].map(approverOf),
        HasMore: matching.length > MAX_PEOPLE,
      };
    },
  };
}

function approverOf(row: ApproverRow): ResultOf<typeof workflowApprovers>['Users'][number] {
  return { UserId: row.UserId, UserName: row.UserName, UserFullName: fullName(row) };
}
