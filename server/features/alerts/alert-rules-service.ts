/** Alert rules of a person. A rule tells its owner only of runs that they may see when it fires. */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { ChecklistScopes } from '#server/access/checklist-access.ts';
import { createOnce } from '#server/access/create-once.ts';
import { recordEdit, revisionOf } from '#server/access/edits.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import { listSchemas } from '#server/access/schemas.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { RuleScope } from '#shared/contract/alert-rule-scopes.ts';
import {
  ALERT_RULES_MAX,
  RULE_EXAMPLES,
  type alertRule,
  type AlertRuleDraft,
  type ruleChoices,
  type ruleMatches,
} from '#shared/contract/alert-rules.ts';
import type { AlertList } from '#shared/contract/alerts.ts';
import type { BodyOf, ResultOf } from '#shared/contract/endpoint.ts';
import { matchesPattern, needsScopeValue } from '#shared/rules/alert-rules.ts';
import { addressed, checkReceivers, checkWebhooks, invalid } from './alert-checks.ts';
import { ruleView } from './alert-rule-views.ts';
import { countRules, findRule, listCoverable } from './alert-rules-repository.ts';
import type { AlertsDeps } from './alerts-service.ts';
import { insertAlert, removeAlert, updateAlert, type AlertRow } from './alerts-repository.ts';
import type { Covered } from './rule-index.ts';

export interface SentRule {
  draft: AlertRuleDraft;
  /** See createOnce. */
  UniqueId: string | null;
}

export interface AlertRulesService {
  choices(person: Person): Promise<ResultOf<typeof ruleChoices>>;
  get(person: Person, id: number): Promise<ResultOf<typeof alertRule>>;
  matches(person: Person, covered: BodyOf<typeof ruleMatches>): Promise<ResultOf<typeof ruleMatches>>;
  people(person: Person, search: string): Promise<{ Roles: string[]; Users: AlertList['Users']; HasMore: boolean }>;
  save(person: Person, actor: Actor, sent: SentRule): Promise<{ Id: number }>;
  /** Also for administrators of users. Returns false if there is no such rule. */
  delete(person: Person, actor: Actor, id: number): Promise<boolean>;
  /** Returns the person's own rule; undefined if there is no such rule. */
  find(person: Person, id: number): Promise<AlertRow | undefined>;
}

const ruleNotFound = (): AppError => new AppError('alertNotFound', 404, 'There is no such alert');
const OTHERS = 'To notify other people or channels, you must be able to edit everything that the rule covers';

export function createAlertRulesService(deps: AlertsDeps): AlertRulesService {
  const { database, checklistAccess, workflowApprovers, canMail } = deps;
  const { knex } = database;
  const find = async ({ UserId }: Person, id: number): Promise<AlertRow | undefined> => {
    const rule = await findRule(knex, id);
    return rule?.UserId === UserId ? rule : undefined;
  };
  const mayNotifyOthers = ({ edit, editChecklist }: ChecklistScopes): boolean =>
    edit.kind !== 'nothing' || editChecklist.kind !== 'nothing';
  return {
    find,
    choices: async (person) => {
      const scopes = await checklistAccess.scopes(person);
      const all = await listCoverable(knex, scopes);
      const schemas = new Set(all.map(({ Schema }) => Schema));
      const self = await workflowApprovers.find({ Search: person.UserName, UserIds: [person.UserId] });
      return {
        Self: self.Users.find(({ UserId }) => UserId === person.UserId) ?? ownName(person),
        Schemas: (await listSchemas(knex))
          .filter(({ Name }) => schemas.has(Name))
          .map(({ Name, DisplayName }) => ({ Name, DisplayName })),
        Groups: [...new Set(all.map(({ Group }) => Group))].filter((group) => group !== '').toSorted(),
        MayNotifyOthers: mayNotifyOthers(scopes),
        CanMail: canMail,
      };
    },
    get: async (person, id) => {
      const seen = await revisionOf(knex, { table: 'Alerts', key: id });
      const rule = await find(person, id);
      if (!rule) throw ruleNotFound();
      const Rule = await ruleView(knex, rule, { webhooks: deps.webhooks, revisionBy: () => seen });
      const UserIds = [...Rule.Receivers.UserIds];
      const named = UserIds.length === 0 ? [] : (await workflowApprovers.find({ Search: '', UserIds })).Users;
      return { Rule, Users: named.filter(({ UserId }) => UserIds.includes(UserId)) };
    },
    matches: async (person, covered) => {
      const all = await listCoverable(knex, await checklistAccess.scopes(person));
      const found = all.filter((one) => covers(covered, one, person.UserId));
      const Workflows = found.filter(({ isWorkflow }) => isWorkflow).length;
      const Examples = found.slice(0, RULE_EXAMPLES).map(({ Name }) => Name);
      return { Activities: found.length - Workflows, Workflows, Examples };
    },
    people: async (person, Search) => {
      if (!mayNotifyOthers(await checklistAccess.scopes(person)))
        throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
      return workflowApprovers.find({ Search });
    },
    save: (person, actor, sent) => saveRule(deps, person, actor, sent),
    delete: async (person, actor, id) => {
      const rule = await findRule(knex, id);
      if (!rule || (rule.UserId !== person.UserId && !person.IsUserAdmin)) return false;
      await inTransaction(knex, async (trx) => {
        await removeAlert(trx, id);
        await recordActions(trx, actor, [logged(id)]);
      });
      return true;
    },
  };
}

const ownName = ({ UserId, UserName, FirstName, LastName }: Person) => ({
  UserId,
  UserName,
  UserFullName: `${FirstName} ${LastName}`.trim(),
});

const logged = (id: number) => ({
  Action: 'UpdateAlerts' as const,
  KeyColumnName: 'AlertId',
  KeyColumnValue: String(id),
});

function covers({ Scope, ScopeValue }: BodyOf<typeof ruleMatches>, one: Covered, userId: number): boolean {
  switch (Scope) {
    case 'All':
      return true;
    case 'Schema':
      return one.Schema === ScopeValue;
    case 'Group':
      return one.Group === ScopeValue;
    case 'Pattern':
      return ScopeValue.trim() !== '' && matchesPattern(ScopeValue, one.Name);
    case 'Mine':
      return one.AuthorId === userId;
    case 'Workflows':
      return one.isWorkflow;
  }
}

/** Returns whether the person may edit everything that a rule covers now and later. */
function mayEditAll({ edit, editChecklist }: ChecklistScopes, scope: RuleScope, value: string): boolean {
  if (scope === 'Workflows') return editChecklist.kind === 'every';
  if (scope === 'Schema') return isInScope(edit, { Schema: value }) && isInScope(editChecklist, { Schema: value });
  return edit.kind === 'every' && editChecklist.kind === 'every';
}

async function check(deps: AlertsDeps, person: Person, draft: AlertRuleDraft): Promise<void> {
  const { Scope, ScopeValue, Receivers, Webhooks } = draft;
  if (needsScopeValue(Scope) && ScopeValue.trim() === '')
    throw invalid('ScopeValue', Scope === 'Pattern' ? 'Enter a pattern' : 'Choose what the rule covers');
  await checkWebhooks(Webhooks, deps);
  checkReceivers('Receivers', Receivers, Webhooks.length, deps);
  const { Roles, UserIds } = Receivers;
  const hasOthers = Roles.length + Webhooks.length > 0 || UserIds.some((id) => id !== person.UserId);
  if (hasOthers && !mayEditAll(await deps.checklistAccess.scopes(person), Scope, ScopeValue.trim()))
    throw invalid('Receivers', OTHERS);
}

async function saveRule(
  deps: AlertsDeps,
  person: Person,
  actor: Actor,
  { draft, UniqueId }: SentRule,
): Promise<{ Id: number }> {
  await check(deps, person, draft);
  const { UserId } = person;
  const key = draft.Id === null ? UniqueId : null;
  const creation = { UserId, UniqueId: key, RecordTable: 'Alerts', content: ['rule', draft] };
  const Id = await createOnce(deps.database, creation, async (trx) => {
    const stored = await store(trx, deps, draft, UserId);
    await recordActions(trx, actor, [logged(stored)]);
    return stored;
  });
  return { Id };
}

async function store(trx: Knex.Transaction, deps: AlertsDeps, draft: AlertRuleDraft, UserId: number): Promise<number> {
  const { Id, Condition, Receivers, Webhooks, IsActive, Scope, ScopeValue } = draft;
  await deps.database.dialect.lock(trx, `runsheet.alert-rules.${UserId}`);
  const before = Id === null ? undefined : await findRule(trx, Id);
  if (Id !== null && before?.UserId !== UserId) throw ruleNotFound();
  const seen = { person: { UserId }, Revision: draft.Revision };
  if (Id !== null) await recordEdit(trx, { table: 'Alerts', key: Id }, seen);
  if (Id === null && (await countRules(trx, UserId)) >= ALERT_RULES_MAX)
    throw new AppError('tooManyRules', 409, `There are already ${ALERT_RULES_MAX} rules: delete one first`);
  const row = {
    ActivityId: null,
    ChecklistId: null,
    Name: draft.Name.trim(),
    Kind: Condition.Kind,
    Condition: JSON.stringify(Condition),
    Receivers: JSON.stringify(Receivers),
    NextReceivers: JSON.stringify({ Roles: [], UserIds: [], ByBell: false, ByMail: false }),
    EscalateMinutes: null,
    EncryptedWebhooks: deps.webhooks.encrypt(addressed(Webhooks, before, deps.webhooks)),
    IsActive,
    UserId,
    NextTime: null,
    CalendarId: null,
    Scope,
    ScopeValue: needsScopeValue(Scope) ? ScopeValue.trim() : '',
  };
  if (Id === null) return insertAlert(trx, row);
  await updateAlert(trx, Id, row);
  return Id;
}
