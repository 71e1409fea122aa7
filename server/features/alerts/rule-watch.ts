/**
 * Checks which alert rules a run sets off. Each poll reads the runs that ended once, whatever number of rules there
 * are, and writes what fired in batches. A rule fires only for runs that its owner may see at that moment.
 */
import type { Knex } from 'knex';
import type { EventSpan } from '#server/automation/deliveries/event-cursor.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import type { AlertsRow } from '#server/db/tables.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { judge, ofOutcome, type ConditionDeps, type Finding } from './alert-conditions.ts';
import type { WatchedKind } from './alert-watch-repository.ts';
import type { NotifyDeps } from './alert-notify.ts';
import { insertDefaultRules, isProblem, PROBLEM_STATUSES } from './default-rules.ts';
import { createRuleAudience, type RuleAudience } from './rule-audience.ts';
import { RuleIndex, type CompiledRule, type CoveredRun } from './rule-index.ts';
import { notifyOfFirings, type RuleFired } from './rule-notify.ts';
import {
  insertFirings,
  listEndedRuns,
  listFiredKeys,
  listOwnerRules,
  listRunsInProgress,
  type AfterEnd,
  type NewRuleFiring,
  type RuleRun,
} from './rule-watch-repository.ts';
import { outcomeSubject, subjectKey } from './subject-key.ts';

export interface RuleWatchDeps extends NotifyDeps, ConditionDeps {
  access: Pick<ChecklistAccess, 'scopes'>;
}

export interface RulePoll {
  trx: Knex.Transaction;
  deps: RuleWatchDeps;
  span: EventSpan;
  /** Active rules. */
  rules: readonly AlertsRow[];
  /** Runs that were checked in earlier polls. */
  seen: ReadonlySet<string>;
  /** Collects the runs that this poll checks. */
  judged: string[];
}

interface Candidate {
  rule: CompiledRule;
  run: RuleRun;
  finding: Finding;
  subject: string;
}

interface Checked extends RulePoll {
  index: RuleIndex;
  audience: RuleAudience;
  kind: WatchedKind;
}

const PAGE = 500;
const KINDS: WatchedKind[] = ['activities', 'checklists'];

export async function checkRules(poll: RulePoll): Promise<void> {
  const { trx, deps, rules } = poll;
  const index = new RuleIndex(rules);
  const audience = createRuleAudience(trx, deps.access, (db, userId) => deps.audience.holder(db, userId));
  for (const kind of KINDS) {
    const checked = { ...poll, index, audience, kind };
    await checkEnded(checked);
    if (index.hasLong) await checkInProgress(checked);
  }
}

async function checkEnded(checked: Checked): Promise<void> {
  const { trx, span, seen, judged, index, kind } = checked;
  const usual = usualOf(checked);
  for (let after: AfterEnd | null = null; ;) {
    // A rule on duration concerns runs of every outcome.
    const statuses = index.hasLong ? ENDED : [...new Set([...PROBLEM_STATUSES, ...index.statuses()])];
    const page: RuleRun[] = await listEndedRuns(trx, kind, span, { after, statuses, limit: PAGE });
    const fresh = page.filter(({ Id }) => !seen.has(`rules ${kind} ${Id}`));
    judged.push(...fresh.map(({ Id }) => `rules ${kind} ${Id}`));
    await addDefaultRules(checked, fresh);
    const candidates: Candidate[] = [];
    for (const run of fresh) candidates.push(...(await candidatesOf(checked, run, usual)));
    await fire(checked, candidates);
    const last = page.at(-1);
    if (!last || last.EndTime === null || page.length < PAGE) return;
    after = { EndTime: last.EndTime, Id: last.Id };
  }
}

const ENDED: RunStatus[] = ['Succeeded', 'SucceededWarn', 'Cancelled', ...PROBLEM_STATUSES];

async function checkInProgress(checked: Checked): Promise<void> {
  const usual = usualOf(checked);
  for (let after = 0; ;) {
    const page = await listRunsInProgress(checked.trx, checked.kind, after, PAGE);
    const candidates: Candidate[] = [];
    for (const run of page) candidates.push(...(await ofDuration(checked, run, usual)));
    await fire(checked, candidates);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.Id;
  }
}

/** All runs of an activity are compared with the same earlier runs, which are read once per poll. */
function usualOf({ deps }: Checked): ConditionDeps['usual'] {
  const known = new Map<number, Promise<number | null>>();
  return (db, run, isWorkflowRun) => {
    const found = known.get(run.OwnerId) ?? deps.usual(db, run, isWorkflowRun);
    known.set(run.OwnerId, found);
    return found;
  };
}

/**
 * Adds the rules of the owners of failed runs. Users need not do anything to be notified of failures of what they own:
 * their rule is created when it fires for the first time. A rule that they have switched off is stored, so it is not
 * created again.
 */
async function addDefaultRules({ trx, index, span }: Checked, runs: readonly RuleRun[]): Promise<void> {
  const problems = runs.filter((run) => isProblem(run.Status) && isRecent(run, span));
  const owners = problems.flatMap(({ AuthorId, UserId }) =>
    AuthorId === null || AuthorId === UserId ? [] : [AuthorId],
  );
  const users = [...new Set(owners)];
  const known = await listOwnerRules(trx, users);
  const owning = new Set(known.map(({ UserId }) => UserId));
  const created = await insertDefaultRules(
    trx,
    users.filter((userId) => !owning.has(userId)),
  );
  for (const row of [...known.filter(({ IsActive }) => IsActive), ...created]) index.add(row);
}

function coveredOf(run: RuleRun, kind: WatchedKind): CoveredRun {
  const { OwnerId, Name, Schema, Group, AuthorId, UserId } = run;
  return { isWorkflow: kind === 'checklists', Id: OwnerId, Name, Schema, Group, AuthorId, starterId: UserId };
}

async function candidatesOf(checked: Checked, run: RuleRun, usual: ConditionDeps['usual']): Promise<Candidate[]> {
  const { index, kind } = checked;
  const finding = ofOutcome([run.Status], run.Status);
  const rules = index.onStatus(run.Status, coveredOf(run, kind)).filter((rule) => isSince(rule, run, checked.span));
  const subject = outcomeSubject(run, kind === 'checklists');
  const byOutcome = finding ? rules.map((rule) => ({ rule, run, finding, subject })) : [];
  return [...byOutcome, ...(await ofDuration(checked, run, usual))];
}

/** A rule does not concern runs that ended before it was created. The default rules of owners have no such time. */
function isSince({ row }: CompiledRule, run: RuleRun, span: EventSpan): boolean {
  if (row.Scope === 'Owner') return isRecent(run, span);
  return run.EndTime === null || run.EndTime > row.CreateTime;
}

const OWNER_MS = 86_400_000;

/**
 * Owners are not notified of failures that are older than a day: while a portal without alerts was of a version that
 * polled only for alerts, the time of the last poll stayed where it was, maybe months ago.
 */
const isRecent = ({ EndTime }: RuleRun, { now }: EventSpan): boolean =>
  EndTime !== null && now.getTime() - EndTime.getTime() < OWNER_MS;

async function ofDuration(
  { trx, deps, span, index, kind }: Checked,
  run: RuleRun,
  usual: ConditionDeps['usual'],
): Promise<Candidate[]> {
  const isWorkflowRun = kind === 'checklists';
  const rules = index.onLong(coveredOf(run, kind)).filter((rule) => isSince(rule, run, span));
  const found: Candidate[] = [];
  const findings = new Map<number, Finding | null>();
  for (const rule of rules) {
    const { condition } = rule;
    if (condition.Kind !== 'Long') continue;
    const known = findings.get(condition.Factor);
    const finding =
      known === undefined
        ? await judge(trx, { ...deps, usual }, { condition, run, isWorkflowRun, now: span.now })
        : known;
    findings.set(condition.Factor, finding);
    if (finding) found.push({ rule, run, finding, subject: subjectKey(run, isWorkflowRun) });
  }
  return found;
}

/** Fires each rule at most once per subject, if its owner may see the run. */
async function fire(checked: Checked, candidates: readonly Candidate[]): Promise<void> {
  if (candidates.length === 0) return;
  const { trx, deps, span, audience, kind } = checked;
  const isWorkflow = kind === 'checklists';
  const keyOf = ({ rule, subject }: Candidate): string => `${rule.row.Id} ${subject}`;
  const fired = await listFiredKeys(trx, [...new Set(candidates.map(({ subject }) => subject))]);
  const chosen: Candidate[] = [];
  for (const candidate of candidates) {
    if (fired.has(keyOf(candidate))) continue;
    if (!(await audience.mayLearn(candidate.rule.row.UserId, candidate.run, isWorkflow))) continue;
    fired.add(keyOf(candidate));
    chosen.push(candidate);
  }
  const ids = await insertFirings(
    trx,
    chosen.map((candidate) => firingOf(candidate, isWorkflow)),
  );
  const firings = chosen.flatMap((candidate): RuleFired[] => {
    const { rule, run, finding } = candidate;
    const id = ids.get(keyOf(candidate));
    return id === undefined ? [] : [{ id, rule: rule.row, run, isWorkflow, message: finding.Message }];
  });
  await notifyOfFirings(trx, deps, { firings, audience, now: span.now });
}

const firingOf = ({ rule, run, finding, subject }: Candidate, isWorkflow: boolean): NewRuleFiring => ({
  AlertId: rule.row.Id,
  Subject: subject,
  ActivityId: isWorkflow ? null : run.OwnerId,
  ChecklistId: isWorkflow ? run.OwnerId : null,
  ActivityRunId: isWorkflow ? null : run.Id,
  ChecklistRunId: isWorkflow ? run.Id : null,
  Message: finding.Message.slice(0, 1000),
  Category: finding.Category,
  IsTest: false,
});
