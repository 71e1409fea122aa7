/**
 * Approvals, for people who decide them. The workflow, not a right, defines who may decide; each call checks it again.
 */
import { AppError } from '#server/base/app-error.ts';
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { ChecklistRunAccess } from '#server/access/checklist-run-access.ts';
import { actorOf } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import { findStoredFiles } from '#server/files/stored-files.ts';
import { mayDecide } from '#server/workflows/approvals/approvers.ts';
import { decideApproval } from '#server/workflows/approvals/decide-approval.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import {
  APPROVAL_COUNT_MAX,
  APPROVAL_PAGE_SIZE,
  type Approval,
  type ApprovalItem,
  type ApprovalOutcome,
  type ApprovalState,
} from '#shared/contract/approvals.ts';
import { decisionView, headerOf, itemView, lateText, valueViews } from './approval-views.ts';
import {
  countWaiting,
  dismissEnded,
  findApprovalItem,
  hasAny,
  listDecided,
  listDecisions,
  listFiles,
  listNamed,
  listValues,
  listWaiting,
  type ApprovalItemRow,
  type DecisionRow,
} from './approvals-repository.ts';

export interface ApprovalsService {
  count(person: Person): Promise<{ Waiting: number; HasAny: boolean }>;
  list(
    person: Person,
    show: 'waiting' | 'decided',
    before: number | null,
  ): Promise<{ Items: ApprovalItem[]; HasMore: boolean }>;
  /** Throws an AppError 404 unless the person may decide the approval, has decided it, or may see its run. */
  details(person: Person, id: number): Promise<Approval>;
  /** Throws the same errors as `details`. */
  state(person: Person, id: number): Promise<ApprovalState>;
  /**
   * Throws an AppError: 400 for a rejection without a comment, 403 if the person may not decide, 409 with the reason if
   * it is too late.
   */
  decide(
    person: Person,
    address: string,
    decision: { id: number; Approved: boolean; Comment: string },
  ): Promise<ApprovalOutcome>;
  /** Returns a download token for a file among the approval's values. */
  download(person: Person, id: number, value: number, file: number): Promise<string>;
  /** Dismisses the notification about the result. */
  dismiss(person: Person, id: number): Promise<void>;
}

export interface ApprovalsDeps {
  database: Database;
  signals: RunSignals;
  files: Pick<FilesService, 'tokenFor'>;
  users: Pick<UsersService, 'isInputDownloadDisabled'>;
  runAccess: ChecklistRunAccess;
}

export function createApprovalsService(deps: ApprovalsDeps): ApprovalsService {
  const { database } = deps;
  const { knex, dialect } = database;

  return {
    count: async (person) => {
      requireUnrestrictedKey(person);
      const Waiting = await countWaiting(knex, person.UserId, APPROVAL_COUNT_MAX);
      return { Waiting, HasAny: Waiting > 0 || (await hasAny(knex, person.UserId)) };
    },
    list: async (person, show, before) => {
      requireUnrestrictedKey(person);
      const list = show === 'waiting' ? listWaiting : listDecided;
      const rows = await list(knex, person.UserId, { before, limit: APPROVAL_PAGE_SIZE + 1 });
      const shown = rows.slice(0, APPROVAL_PAGE_SIZE);
      const decisions = await listDecisions(
        knex,
        shown.map(({ Id }) => Id),
      );
      return {
        Items: shown.map((row) => itemView(row, decisions.get(row.Id) ?? [], person.UserId)),
        HasMore: rows.length > shown.length,
      };
    },
    details: (person, id) => details(deps, person, id),
    state: async (person, id) => stateOf(await see(deps, person, id)),
    decide: (person, address, decision) => decide(deps, person, address, decision),
    download: (person, id, value, file) => download(deps, person, { id, value, file }),
    dismiss: async (person, id) => {
      requireUnrestrictedKey(person);
      if (!(await dismissEnded(knex, id, person.UserId, dialect.now(knex)))) throw notFound();
    },
  };
}

const notFound = (): AppError => new AppError('approvalNotFound', 404, 'There is no such approval');
const forbidden = (): AppError => new AppError('forbidden', 403, 'You do not have permissions for this operation');

/** Rejects keys that may only run activities: they may neither decide approvals nor see them. */
function requireUnrestrictedKey({ keyScope }: Person): void {
  if (keyScope !== undefined) throw forbidden();
}

interface Seen {
  row: ApprovalItemRow;
  decisions: DecisionRow[];
  mayDecide: boolean;
  /** True if the person may see the values, because they may decide about them or have decided. */
  seesValues: boolean;
  canViewRun: boolean;
}

async function see({ database, runAccess }: ApprovalsDeps, person: Person, id: number): Promise<Seen> {
  requireUnrestrictedKey(person);
  const { knex } = database;
  const row = await findApprovalItem(knex, id);
  if (!row) throw notFound();
  const decisions = (await listDecisions(knex, [id])).get(id) ?? [];
  const hasDecided = decisions.some(({ UserId }) => UserId === person.UserId);
  const isApprover = await mayDecide(knex, id, person.UserId);
  const canViewRun = await runAccess.require(person, row.ChecklistRunId).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.status === 404) return false;
      throw error;
    },
  );
  if (!isApprover && !hasDecided && !canViewRun) throw notFound();
  const isOpen = row.Status === 'Open';
  const seesValues = hasDecided || (isApprover && isOpen);
  return { row, decisions, mayDecide: isApprover && !hasDecided && isOpen, canViewRun, seesValues };
}

const stateOf = ({ row, decisions, mayDecide: MayDecide }: Seen): ApprovalState => {
  const { Outcome, Given } = headerOf(row, decisions);
  return { Outcome, Given, MayDecide };
};

async function details(deps: ApprovalsDeps, person: Person, id: number): Promise<Approval> {
  const { row, decisions, mayDecide, seesValues, canViewRun } = await see(deps, person, id);
  const { knex } = deps.database;
  return {
    ...headerOf(row, decisions),
    Text: row.Text,
    OnExpiry: row.OnExpiry,
    Values: seesValues ? valueViews(await listValues(knex, id), await listFiles(knex, id)) : null,
    WaitsFor: row.Status === 'Open' ? ((await listNamed(knex, [id])).get(id) ?? []) : [],
    Decisions: decisions.map(decisionView),
    MayDecide: mayDecide,
    CanViewRun: canViewRun,
    IsWorkflow: row.WorkflowVersion !== null,
  };
}

async function decide(
  deps: ApprovalsDeps,
  person: Person,
  address: string,
  { id, Approved, Comment }: { id: number; Approved: boolean; Comment: string },
): Promise<ApprovalOutcome> {
  requireUnrestrictedKey(person);
  const { database, signals } = deps;
  const said = Comment.trim();
  if (!Approved && said === '') {
    const text = 'Enter a reason for rejecting it';
    throw new AppError('commentMissing', 400, text, { modelState: { Comment: [text] } });
  }
  const UserFullName = fullName({ ...person, MiddleName: '' });
  const decision = { ApprovalId: id, UserId: person.UserId, UserFullName, Approved, Comment: said };
  const decided = await decideApproval(database, signals, decision, (trx) =>
    recordActions(trx, actorOf(person, address), [
      {
        Action: Approved ? 'ApproveStep' : 'RejectStep',
        KeyColumnName: `Approval ${id}`,
        // The log of the run contains the full comment.
        KeyColumnValue: said.slice(0, LOGGED_COMMENT),
      },
    ]),
  );
  if (decided.result === 'decided') return decided.Status;
  // Throws a 404 for people who may not see the approval, so that they do not learn its outcome.
  const { row, decisions } = await see(deps, person, id);
  if (decided.result === 'again') throw new AppError('decidedAlready', 409, 'You have already decided');
  if (decided.result === 'forbidden') throw forbidden();
  throw new AppError('approvalEnded', 409, lateText({ ...row, Status: decided.Status }, decisions));
}

const LOGGED_COMMENT = 100;

async function download(
  deps: ApprovalsDeps,
  person: Person,
  { id, value, file }: { id: number; value: number; file: number },
): Promise<string> {
  const { seesValues } = await see(deps, person, id);
  const { knex } = deps.database;
  const missing = 'The file no longer exists';
  const shown = seesValues ? await listFiles(knex, id) : [];
  const found = shown.find(({ Position, ArrayIndex }) => Position === value && ArrayIndex === file);
  if (!found) throw new AppError('fileNotFound', 404, 'There is no such file');
  const [stored] = await findStoredFiles(knex, [found.FileId]);
  if (!stored) throw new AppError('fileMissing', 404, missing);
  if (stored.Purpose === 'upload' && (await deps.users.isInputDownloadDisabled(person))) throw forbidden();
  return deps.files.tokenFor(person, stored, missing);
}
