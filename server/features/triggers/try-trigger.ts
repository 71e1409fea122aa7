/** Shows what a trigger would do now. Nothing is stored or started. */
import { AppError } from '#server/base/app-error.ts';
import { ConnectionError } from '#server/connections/connection-error.ts';
import { planOf, triggerInputsOf } from '#server/automation/triggers/trigger-row.ts';
import type { Database } from '#server/db/database.ts';
import type { ScheduleOwners } from '#server/features/additional-schedules/schedule-owners-service.ts';
import { fitsPattern } from '#server/folders/file-pattern.ts';
import { FolderError } from '#server/folders/static-folders.ts';
import { databaseTime } from '#server/automation/schedules/scheduler.ts';
import { atPointer, eventValues } from '#server/automation/triggers/event-values.ts';
import { pendingRun } from '#server/automation/triggers/dispatch-events.ts';
import { fileKey } from '#server/automation/triggers/poll-folders.ts';
import { askQuery, freshRows, isTrue } from '#server/automation/triggers/poll-queries.ts';
import type { TriggerContext } from '#server/automation/triggers/trigger-context.ts';
import { parseExactJson } from '#shared/codecs/exact-number.ts';
import type { TriggerTest } from '#shared/contract/triggers.ts';
import { STATUS_TEXT, type RunStatus } from '#shared/contract/run-status.ts';
import { startIssue } from './trigger-start.ts';
import type { StoredTrigger } from './triggers-repository.ts';

export interface TryDeps {
  database: Database;
  owners: ScheduleOwners;
  context: TriggerContext;
}

/** Whether the trigger would fire, and what was found. */
interface Found {
  matches: boolean;
  lines: string[];
}

const TIME_LIMIT_MS = 20_000;
const NEWEST_FILES = 5;

export async function tryTrigger(
  deps: TryDeps,
  row: StoredTrigger,
  { body, maintenance }: { body: string | null; maintenance: string | null },
): Promise<TriggerTest> {
  const { knex } = deps.database;
  const found = await findEvents(deps, row, body);
  const Lines = [...found.lines];
  let WouldStart = found.matches;
  const against = (why: string): void => {
    WouldStart = false;
    Lines.push(why);
  };
  if (row.PausedTime !== null) against('It would not start: the trigger is paused');
  if (maintenance !== null) against('It would wait until maintenance ends');
  const refusal = await startIssue(deps.owners, row, await databaseTime(knex, deps.database));
  if (refusal) against(`It would not start: ${refusal.refused}`);
  const before = row.Overlap === 'Start' ? null : await pendingRun(knex, row);
  if (before !== null) {
    const how = row.Overlap === 'Wait' ? 'It would wait' : 'It would be skipped';
    against(`${how}: run ${before}, which the trigger started before, has not ended`);
  }
  if (WouldStart) Lines.push('It would start now');
  return { WouldStart, Lines };
}

async function findEvents(deps: TryDeps, row: StoredTrigger, body: string | null): Promise<Found> {
  try {
    switch (row.Kind) {
      case 'File':
        return await findFiles(deps, row);
      case 'Ended':
        return await findRunEnd(deps, row);
      case 'Webhook':
        return readBody(row, body);
      case 'Query':
        return await ask(deps, row);
    }
  } catch (error) {
    if (!(error instanceof FolderError || error instanceof ConnectionError || error instanceof AppError)) throw error;
    return { matches: false, lines: [error.message] };
  }
}

async function findFiles({ database: { knex }, context }: TryDeps, row: StoredTrigger): Promise<Found> {
  const { Folder, Pattern } = planOf(row, 'File');
  const files = await context.folders.list(Folder, (name) => fitsPattern(name, Pattern));
  if (files.length === 0) return { matches: false, lines: [`No file in ${Folder} matches ${Pattern}`] };
  const newest = files.toSorted((a, b) => b.ModifiedTime.getTime() - a.ModifiedTime.getTime()).slice(0, NEWEST_FILES);
  const lines: string[] = [];
  let matches = false;
  for (const { FileName, size, ModifiedTime } of newest) {
    const at = { Size: size, Modified: Math.floor(ModifiedTime.getTime()) };
    const known = await knex('TriggerFiles')
      .where({ TriggerId: row.Id, FileKey: fileKey(FileName), ...at })
      .first('Sha256');
    lines.push(`${FileName}: ${known ? 'was already there, or was already processed' : 'new'}`);
    matches ||= !known;
  }
  return { matches, lines };
}

async function findRunEnd({ database: { knex } }: TryDeps, row: StoredTrigger): Promise<Found> {
  const { Source, SourceId, Outcomes } = planOf(row, 'Ended');
  const [table, owner] = Source === 'Activity' ? ['ActivityRuns', 'ActivityId'] : ['ChecklistRuns', 'ChecklistId'];
  const query = knex(table).where(owner, SourceId).whereNotNull('EndTime').orderBy('Id', 'desc');
  if (Source === 'Activity') void query.whereNull('ChecklistRunId').whereNull('ParentRunId');
  const last = await query.first<{ Status: RunStatus } | undefined>('Status');
  if (!last) return { matches: false, lines: [`${row.SourceName} has not run yet`] };
  const matches = Outcomes.includes(last.Status);
  const text = `The last run of ${row.SourceName} ended as ${STATUS_TEXT[last.Status]}`;
  return { matches, lines: [`${text}, which is ${matches ? '' : 'not '}one of the chosen outcomes`] };
}

function readBody(row: StoredTrigger, text: string | null): Found {
  let body: unknown;
  try {
    body = parseExactJson(text ?? '{}');
  } catch {
    return { matches: false, lines: ['The body is not valid JSON'] };
  }
  const { values, issue } = eventValues(triggerInputsOf(row), (from) => atPointer(body, from));
  if (issue !== null) return { matches: false, lines: [issue] };
  const lines = values.map(({ Name, Value }) => `${Name}: ${Value}`);
  return { matches: true, lines: lines.length > 0 ? lines : ['No values are taken from the body'] };
}

async function ask({ context }: TryDeps, row: StoredTrigger): Promise<Found> {
  const holder = await context.findHolder(row.UserId);
  if (!holder) return { matches: false, lines: ['The user that the trigger runs as can no longer sign in'] };
  const answer = await askQuery(context, holder, row, AbortSignal.timeout(TIME_LIMIT_MS));
  const plan = planOf(row, 'Query');
  const { fresh } = freshRows(plan, row.StateText, answer);
  const what =
    plan.When === 'NewKey'
      ? rowsText(answer.rows.length, fresh?.length ?? 0)
      : `The condition is ${isTrue(answer.rows[0]?.[0]) ? 'true' : 'false'}`;
  const first = fresh === null ? ['The query has not run before: its first result starts nothing'] : [];
  return { matches: (fresh?.length ?? 0) > 0, lines: [what, ...first] };
}

function rowsText(rows: number, fresh: number): string {
  if (rows === 1) return fresh === 1 ? '1 row, which is new' : '1 row, which is not new';
  return fresh === 1 ? `${rows} rows, of which 1 is new` : `${rows} rows, of which ${fresh} are new`;
}
