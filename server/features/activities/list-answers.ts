import { Buffer } from 'node:buffer';
import type { ActivityScopes } from './activity-scopes.ts';
import { activityList } from './activity-views.ts';
import { isInScope } from '#server/features/rights/right-scope.ts';
import type { ListRow } from './activities-repository.ts';
import type { ListState } from './list-snapshot.ts';

/** Answers of the list as they go out, kept until the list is another: most people hold the same rights as some others. */
export interface ListAnswers {
  of(state: ListState, scopes: ActivityScopes): Buffer;
}

const KEPT = 32;

export function createListAnswers(): ListAnswers {
  const kept = new Map<string, { revision: number; answer: Buffer }>();
  return {
    of: ({ rows, revision }, scopes) => {
      const key = JSON.stringify([scopes.run, scopes.edit]);
      const known = kept.get(key);
      kept.delete(key);
      const answer =
        known?.revision === revision
          ? known.answer
          : listAnswer(
              rows.filter((row) => isVisible(row, scopes)),
              scopes,
            );
      kept.set(key, { revision, answer });
      const [oldest] = kept.keys();
      if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
      return answer;
    },
  };
}

/** As whereVisible does in the database. */
function isVisible({ Id, Schema, IsActive }: ListRow, { run, edit }: ActivityScopes): boolean {
  return (IsActive && isInScope(run, { Id, Schema })) || isInScope(edit, { Id, Schema });
}

export function listAnswer(rows: readonly ListRow[], scopes: ActivityScopes): Buffer {
  return Buffer.from(JSON.stringify({ result: activityList(rows, scopes) }));
}
