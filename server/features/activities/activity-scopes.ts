import type { Knex } from 'knex';
import { whereInScope, type RightScope } from '#server/features/rights/right-scope.ts';

/** What a person holds rights for, as conditions on Schema and Id. */
export interface ActivityScopes {
  run: RightScope;
  edit: RightScope;
  viewRuns: RightScope;
}

/** The key columns of rights on activities, in queries that call the table A. */
export const ON_ACTIVITY = { Schema: 'A.Schema', Id: 'A.Id' };

/** Those a person may run, as long as they are active, and those they may edit. */
export function whereVisible(query: Knex.QueryBuilder, { run, edit }: Pick<ActivityScopes, 'run' | 'edit'>): void {
  void query.where((either) => {
    void either.where((active) => {
      void active.where('A.IsActive', true);
      whereInScope(active, run, ON_ACTIVITY);
    });
    void either.orWhere((editable) => whereInScope(editable.whereRaw('1 = 1'), edit, ON_ACTIVITY));
  });
}
