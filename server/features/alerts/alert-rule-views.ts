import type { Db } from '#server/db/dialect/types.ts';
import { RULE_SCOPES } from '#shared/contract/alert-rule-scopes.ts';
import type { AlertRule, RuleCondition } from '#shared/contract/alert-rules.ts';
import { alertViews } from './alert-views.ts';
import { listFiredNames } from './alert-rules-repository.ts';
import type { AlertWebhooks } from './alert-webhooks.ts';
import type { AlertRow } from './alerts-repository.ts';

export async function ruleView(
  db: Db,
  row: AlertRow,
  read: { webhooks: AlertWebhooks; revisionBy: (id: number) => number },
): Promise<AlertRule> {
  const [view] = await alertViews(db, [row], read);
  if (!view) throw new Error('An alert has no view');
  const { Id, Name, IsActive, Receivers, Webhooks, Revision } = view;
  const names = await listFiredNames(
    db,
    view.Firings.map((firing) => firing.Id),
  );
  return {
    Id,
    Name,
    IsActive,
    Receivers,
    Webhooks,
    Revision,
    Scope: RULE_SCOPES.find((scope) => scope === row.Scope) ?? 'All',
    ScopeValue: row.ScopeValue ?? '',
    Condition: JSON.parse(row.Condition) as RuleCondition,
    Firings: view.Firings.map((firing) => ({ ...firing, Name: names.get(firing.Id) ?? '' })),
  };
}
