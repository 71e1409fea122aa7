import type { Knex } from 'knex';
import { whereInScope, type RightScope } from './rights/right-scope.ts';

/** The scopes of a person's rights on activities, as conditions on Schema and Id. */
export interface ActivityScopes {
  run: RightScope;
  edit: RightScope;
  viewRuns: RightScope;
}

/** Maps the key columns of rights on activities to queries that alias the table as A. */
export const ON_ACTIVITY = { Schema: 'A.Schema', Id: 'A.Id' };

/** Restricts the query to active activities that the person may run, and activities that they may edit. */
export function whereVisible(query: Knex.QueryBuilder, { run, edit }: Pick<ActivityScopes, 'run' | 'edit'>): void {
  void query.where((either) => {
    void either.where((active) => {
      void active.where('A.IsActive', true);
      whereInScope(active, run, ON_ACTIVITY);
    });
    void either.orWhere((editable) => whereInScope(editable.whereRaw('1 = 1'), edit, ON_ACTIVITY));
  });
}
