/**
 * Deletes ended runs, or their contents, in small chunks. Each chunk is a short transaction followed by a pause, so
 * that others are not slowed down. A stopped purge keeps what it has deleted so far. Several servers may purge at the
 * same time.
 */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { inRows } from '#server/db/in-rows.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { deleteUnreferenced } from '#server/files/unreferenced-files.ts';
import { LogCategory } from '#shared/contract/run-status.ts';
import { createPurgePace, type PurgePace } from './purge-pace.ts';
import { isAnyPending, lowestRuns, pendingDescendants } from './run-descendants.ts';

/** Whole runs; their inputs or outputs, both values and files; or only the files. */
export type PurgeTarget = 'runs' | 'inputs' | 'outputs' | 'inputFiles' | 'outputFiles';

export interface PurgeRequest {
  target: PurgeTarget;
  /** Restricts the ended runs. The query only contains the table ActivityRuns. */
  where: (query: Knex.QueryBuilder) => void;
  /** Message that is added to the log of each run. Purged whole runs have no log. */
  message: string;
  /** Maximum number of runs or files to delete. Default: all. */
  limit?: number;
  /** Called after each chunk with the number of deleted runs or files. */
  onProgress?: (count: number) => void;
}

export interface PurgeDeps {
  database: Database;
  store: FileStore;
  /** Creates the throttle of each purge. Default: createPurgePace. */
  createPace?: () => PurgePace;
}

interface Chunk {
  /** Number of runs for the targets runs, inputs and outputs; number of files for the others. */
  count: number;
  /** Keys of files to delete from the store. */
  keys: string[];
  /** The last run that was processed; null if there was none. */
  lastId: number | null;
}

const TABLES = {
  inputs: 'RunInputs',
  inputFiles: 'RunInputs',
  outputs: 'RunOutputs',
  outputFiles: 'RunOutputs',
} as const;

/** Returns the number of affected runs or files. Pending runs are never touched, nor are runs that started them. */
export async function purgeRuns(
  { database, store, createPace = createPurgePace }: PurgeDeps,
  request: PurgeRequest,
  signal?: AbortSignal,
): Promise<number> {
  const { limit = Infinity } = request;
  const pace = createPace();
  let count = 0;
  for (let after = 0; ;) {
    if (signal?.aborted) break;
    const size = Math.min(pace.size(), limit - count);
    const began = performance.now();
    const chunk = await inTransaction(database.knex, (trx) => purgeChunk(database, trx, request, { after, size }));
    await Promise.all(chunk.keys.map((key) => store.delete(key)));
    count += chunk.count;
    request.onProgress?.(chunk.count);
    if (chunk.lastId === null || count >= limit) break;
    after = chunk.lastId;
    await pace.rest(performance.now() - began, signal);
  }
  return count;
}

async function purgeChunk(
  database: Database,
  trx: Knex.Transaction,
  request: PurgeRequest,
  { after, size }: { after: number; size: number },
): Promise<Chunk> {
  const rows = await database.dialect.lockRows<{ Id: number }>(trx, {
    table: 'ActivityRuns',
    columns: ['Id'],
    where: (query) => {
      void query.whereNotNull('EndTime').where('Id', '>', after);
      request.where(query);
      whereNoWorkflowNeeds(trx, query, request.target);
      whereThereIsSomething(trx, query, request.target);
    },
    orderBy: [{ column: 'Id' }],
    limit: size,
    locked: 'skip',
  });
  const ids = rows.map(({ Id }) => Id);
  const lastId = ids.at(-1) ?? null;
  if (lastId === null) return { count: 0, keys: [], lastId };
  if (request.target !== 'runs') {
    const unneeded = await stillUnneeded(database, trx, ids);
    return { ...(await purgeThese(database, trx, request, unneeded)), lastId };
  }
  const lowest = await lowestRuns(trx, trx('ActivityRuns').whereIn('Id', ids), size);
  // A run may have been retried after the query above. The next purge deletes the other runs of this chunk.
  if (await isAnyPending(trx, lowest)) return { count: 0, keys: [], lastId };
  const { count, keys } = await purgeThese(database, trx, request, lowest);
  if (ids.includes(lowest[0]!)) return { count, keys, lastId };
  // Repeats with the same runs until all their descendants are deleted.
  return { count: 0, keys, lastId: after };
}

/**
 * Excludes runs that something else needs. Runs of steps and child runs are only deleted together with their checklist
 * run or parent run. The contents of step runs are retained as long as the checklist run could be resumed, or another
 * run reuses them.
 */
function whereNoWorkflowNeeds(trx: Knex.Transaction, query: Knex.QueryBuilder, target: PurgeTarget): void {
  if (target === 'runs') {
    const parent = trx('ActivityRuns as Parent')
      .select(trx.raw('1'))
      .whereRaw('?? = ??', ['Parent.Id', 'ActivityRuns.ParentRunId']);
    void query.whereNull('ChecklistRunId').whereNotExists(parent);
    for (const pending of pendingDescendants(trx, 'ActivityRuns.Id')) void query.whereNotExists(pending);
    return;
  }
  const needing = trx('ChecklistRuns as C')
    .select(trx.raw('1'))
    .whereRaw('?? = ??', ['C.Id', 'ActivityRuns.ChecklistRunId'])
    .whereNotIn('C.Status', ['Succeeded', 'SucceededWarn']);
  const reused = trx('ChecklistKeptRuns as K')
    .select(trx.raw('1'))
    .whereRaw('?? = ??', ['K.ActivityRunId', 'ActivityRuns.Id']);
  void query.whereNotExists(needing).whereNotExists(reused);
}

/**
 * Checks again what `whereNoWorkflowNeeds` says, now that the runs are locked: a person may have continued their workflow
 * run after the query. While its row is locked, somebody is about to do so.
 */
async function stillUnneeded({ dialect }: Database, trx: Knex.Transaction, ids: readonly number[]): Promise<number[]> {
  const steps = await trx('ActivityRuns')
    .whereIn('Id', ids)
    .whereNotNull('ChecklistRunId')
    .select('Id', 'ChecklistRunId');
  if (steps.length === 0) return [...ids];
  const workflowRunIds = [...new Set(steps.flatMap(({ ChecklistRunId }) => ChecklistRunId ?? []))];
  const locked = await dialect.lockRows<{ Id: number }>(trx, {
    table: 'ChecklistRuns',
    columns: ['Id'],
    where: (query) => void query.whereIn('Id', workflowRunIds),
    orderBy: [{ column: 'Id' }],
    locked: 'skip',
  });
  const free = new Set(locked.map(({ Id }) => Id));
  const reused = await trx('ChecklistKeptRuns').whereIn('ActivityRunId', ids).pluck('ActivityRunId');
  const needed = new Set([...reused, ...steps.flatMap((run) => (free.has(run.ChecklistRunId ?? 0) ? [] : [run.Id]))]);
  return ids.filter((id) => !needed.has(id));
}

/** Excludes runs whose contents are already gone. Otherwise a purge would select them again and again. */
function whereThereIsSomething(trx: Knex.Transaction, query: Knex.QueryBuilder, target: PurgeTarget): void {
  if (target === 'inputs') void query.whereNull('InputsPurgedTime');
  if (target === 'outputs') void query.whereNull('OutputsPurgedTime');
  if (target !== 'inputFiles' && target !== 'outputFiles') return;
  const table = TABLES[target];
  void query.whereExists(
    trx(table)
      .select(trx.raw('1'))
      .whereRaw('?? = ??', [`${table}.ActivityRunId`, 'ActivityRuns.Id'])
      .whereNotNull(`${table}.FileId`),
  );
}

/**
 * Deletes what the target says of the given runs. Returns the keys of files to delete from the store after the
 * transaction is committed.
 */
export async function purgeThese(
  { dialect }: Database,
  trx: Knex.Transaction,
  { target, message }: Pick<PurgeRequest, 'target' | 'message'>,
  ids: number[],
): Promise<Omit<Chunk, 'lastId'>> {
  const tables = target === 'runs' ? (['RunInputs', 'RunOutputs'] as const) : [TABLES[target]];
  const fileIds: string[] = [];
  for (const table of tables) fileIds.push(...(await listFileIds(trx, table, ids)));
  if (target === 'runs') {
    // Foreign keys cascade to its inputs, outputs, log and other rows.
    await trx('ActivityRuns').whereIn('Id', ids).delete();
  } else if (target === 'inputs' || target === 'outputs') {
    await trx(TABLES[target]).whereIn('ActivityRunId', ids).delete();
    const column = target === 'inputs' ? 'InputsPurgedTime' : 'OutputsPurgedTime';
    await trx('ActivityRuns')
      .whereIn('Id', ids)
      .update({ [column]: dialect.now(trx) });
  } else {
    // The names are retained, so that people see which files existed.
    await trx(TABLES[target])
      .whereIn('ActivityRunId', ids)
      .whereNotNull('FileId')
      .update({ FileId: null, ContentLength: null });
  }
  if (target !== 'runs') await addLogLines(trx, ids, message);
  const isOfFiles = target === 'inputFiles' || target === 'outputFiles';
  const keys = await deleteUnreferenced(trx, [...new Set(fileIds)]);
  return { count: isOfFiles ? fileIds.length : ids.length, keys };
}

async function listFileIds(
  trx: Knex.Transaction,
  table: 'RunInputs' | 'RunOutputs',
  ids: readonly number[],
): Promise<string[]> {
  return trx(table).whereIn('ActivityRunId', ids).whereNotNull('FileId').pluck<string[]>('FileId');
}

async function addLogLines(trx: Knex.Transaction, ids: readonly number[], Message: string): Promise<void> {
  const line = { Message, StatusCode: 0, Category: LogCategory.Information };
  await inRows(
    trx,
    ids.map((ActivityRunId) => ({ ActivityRunId, ...line })),
    (part) => trx('RunLogEntries').insert(part),
  );
}
