/**
 * Finds the alert rules that cover a run. A run takes a few look-ups, however many rules there are; patterns are
 * compared once per activity, not once per run.
 */
import type { AlertsRow } from '#server/db/tables.ts';
import type { RuleCondition } from '#shared/contract/alert-rules.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { matchesPattern } from '#shared/rules/alert-rules.ts';

/** What rules compare of an activity, a checklist or a workflow. */
export interface Covered {
  isWorkflow: boolean;
  Id: number;
  Name: string;
  Schema: string;
  Group: string;
  /** The user who owns it: see RULE_SCOPES. Null for an activity without a version. */
  AuthorId: number | null;
}

export interface CoveredRun extends Covered {
  /** The user who started the run. */
  starterId: number;
}

export interface CompiledRule {
  row: AlertsRow;
  condition: RuleCondition;
}

type Rules = CompiledRule[];

/** The rules that one kind of event concerns, by what they cover. */
class RuleBucket {
  readonly #everything: Rules = [];
  readonly #workflows: Rules = [];
  readonly #bySchema = new Map<string, Rules>();
  readonly #byGroup = new Map<string, Rules>();
  readonly #byAuthor = new Map<number, Rules>();
  /** The default rules of owners: not for runs that they started themselves. */
  readonly #byOwner = new Map<number, Rules>();
  readonly #byStarter = new Map<number, Rules>();
  readonly #patterns: Rules = [];
  readonly #matched = new Map<string, Rules>();

  add(rule: CompiledRule): void {
    const { Scope, UserId } = rule.row;
    const value = rule.row.ScopeValue ?? '';
    if (Scope === 'All') this.#everything.push(rule);
    else if (Scope === 'Workflows') this.#workflows.push(rule);
    else if (Scope === 'Schema') append(this.#bySchema, value, rule);
    else if (Scope === 'Group') append(this.#byGroup, value, rule);
    else if (Scope === 'Mine') append(this.#byAuthor, UserId, rule);
    else if (Scope === 'Owner') append(this.#byOwner, UserId, rule);
    else if (Scope === 'Starter') append(this.#byStarter, UserId, rule);
    else if (Scope === 'Pattern') {
      this.#patterns.push(rule);
      this.#matched.clear();
    }
  }

  find(run: CoveredRun): Rules {
    const { Schema, Group, AuthorId, starterId, isWorkflow } = run;
    return [
      ...this.#everything,
      ...(isWorkflow ? this.#workflows : []),
      ...(this.#bySchema.get(Schema) ?? []),
      ...(this.#byGroup.get(Group) ?? []),
      ...(AuthorId === null ? [] : (this.#byAuthor.get(AuthorId) ?? [])),
      ...(AuthorId === null || AuthorId === starterId ? [] : (this.#byOwner.get(AuthorId) ?? [])),
      ...(this.#byStarter.get(starterId) ?? []),
      ...this.#matching(run),
    ];
  }

  #matching({ isWorkflow, Id, Name }: Covered): Rules {
    if (this.#patterns.length === 0) return [];
    const key = `${isWorkflow} ${Id} ${Name}`;
    const known = this.#matched.get(key);
    if (known) return known;
    const found = this.#patterns.filter(({ row }) => matchesPattern(row.ScopeValue ?? '', Name));
    this.#matched.set(key, found);
    return found;
  }
}

function append<K>(map: Map<K, Rules>, key: K, rule: CompiledRule): void {
  const known = map.get(key);
  if (known) known.push(rule);
  else map.set(key, [rule]);
}

export class RuleIndex {
  readonly #byStatus = new Map<RunStatus, RuleBucket>();
  readonly #long = new RuleBucket();
  readonly #ids = new Set<number>();
  hasLong = false;

  constructor(rows: readonly AlertsRow[]) {
    for (const row of rows) this.add(row);
  }

  /** Does nothing if the rule was added before. */
  add(row: AlertsRow): void {
    if (this.#ids.has(row.Id)) return;
    this.#ids.add(row.Id);
    const condition = JSON.parse(row.Condition) as RuleCondition;
    const rule = { row, condition };
    if (condition.Kind === 'Long') {
      this.hasLong = true;
      this.#long.add(rule);
      return;
    }
    for (const status of condition.Statuses) {
      const bucket = this.#byStatus.get(status) ?? new RuleBucket();
      this.#byStatus.set(status, bucket);
      bucket.add(rule);
    }
  }

  /** Returns the statuses that any rule waits for. */
  statuses(): RunStatus[] {
    return [...this.#byStatus.keys()];
  }

  onStatus(status: RunStatus, run: CoveredRun): readonly CompiledRule[] {
    return this.#byStatus.get(status)?.find(run) ?? [];
  }

  onLong(run: CoveredRun): readonly CompiledRule[] {
    return this.hasLong ? this.#long.find(run) : [];
  }
}
