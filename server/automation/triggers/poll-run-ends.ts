/** Records the ends of runs of activities and checklists for which triggers wait. */
import type { Knex } from 'knex';
import { planOf, type NewTriggerEvent, type TriggerRow } from './trigger-row.ts';
import { whereNotBatchRun } from '#server/queue/batch-runs.ts';
import { STATUS_TEXT, type RunStatus } from '#shared/contract/run-status.ts';
import { lockTrigger, noteEvents, said } from './note-events.ts';
import type { TriggerContext } from './trigger-context.ts';

interface EndedRow {
  TriggerId: number;
  RunId: number;
  OwnerId: number;
  OwnerName: string;
  UserId: number;
  Status: RunStatus;
  Depth: number | null;
}

const SOURCES = [
  { runs: 'ActivityRuns', owners: 'Activities', owner: 'ActivityId', source: 'SourceActivityId', run: 'ActivityRunId' },
  {
    runs: 'ChecklistRuns',
    owners: 'Checklists',
    owner: 'ChecklistId',
    source: 'SourceChecklistId',
    run: 'ChecklistRunId',
  },
] as const;
type Source = (typeof SOURCES)[number];

export async function pollRunEnds(context: TriggerContext): Promise<void> {
  await context.sinceLastPoll(async (trx, span) => {
    for (const source of SOURCES) {
      const ended = await endedRuns(trx, source, span);
      const byTrigger = Map.groupBy(ended, ({ TriggerId }) => TriggerId);
      for (const id of [...byTrigger.keys()].toSorted((a, b) => a - b)) {
        await noteEnds(context, trx, { source, id, ended: byTrigger.get(id)! });
      }
    }
  });
}

/**
 * Returns ended standalone runs. Steps and child runs are excluded, because the workflow or run that started them
 * handles their ends.
 */
async function endedRuns(
  trx: Knex.Transaction,
  { runs, owners, owner, source, run }: Source,
  { since, now }: { since: Date; now: Date },
): Promise<EndedRow[]> {
  const query = trx(`${runs} as R`)
    .join('Triggers as T', `T.${source}`, `R.${owner}`)
    .join(`${owners} as O`, 'O.Id', `R.${owner}`)
    .leftJoin('TriggerEvents as E', `E.${run}`, 'R.Id')
    .where('R.EndTime', '>', since)
    .where('R.EndTime', '<=', now)
    .whereRaw('?? > ??', ['R.EndTime', 'T.SinceTime'])
    .orderBy('R.Id')
    .select('T.Id as TriggerId', 'R.Id as RunId', 'O.Id as OwnerId', 'O.Name as OwnerName', 'R.UserId', 'R.Status')
    .select<EndedRow[]>('E.Depth');
  if (run === 'ActivityRunId')
    whereNotBatchRun(trx, query.whereNull('R.ChecklistRunId').whereNull('R.ParentRunId'), 'R.Id');
  return query;
}

interface Ends {
  source: Source;
  id: number;
  ended: readonly EndedRow[];
}

async function noteEnds(context: TriggerContext, trx: Knex.Transaction, { source, id, ended }: Ends): Promise<void> {
  const trigger = await lockTrigger(trx, id);
  if (!trigger) return;
  const { Outcomes } = planOf(trigger, 'Ended');
  const subjects = ended.map(({ RunId }) => `run ${RunId}`);
  const known = new Set(
    await trx('TriggerEvents').where('TriggerId', id).whereIn('Subject', subjects.slice(0, 1000)).pluck('Subject'),
  );
  const events: Omit<NewTriggerEvent, 'TriggerId'>[] = [];
  for (const row of ended) {
    if (!Outcomes.includes(row.Status) || known.has(`run ${row.RunId}`)) continue;
    events.push(await eventOf(context, trx, { trigger, source, row }));
  }
  await noteEvents(trx, trigger, events);
}

async function eventOf(
  { findHolder, maySee }: TriggerContext,
  trx: Knex.Transaction,
  {
    trigger,
    source,
    row: { RunId, OwnerId, OwnerName, UserId, Status, Depth },
  }: { trigger: TriggerRow; source: Source; row: EndedRow },
): Promise<Omit<NewTriggerEvent, 'TriggerId'>> {
  const isActivity = source.run === 'ActivityRunId';
  const holder = await findHolder(trigger.UserId);
  const run = { ActivityId: isActivity ? OwnerId : null, ChecklistId: isActivity ? null : OwnerId, UserId };
  const event = { Subject: `run ${RunId}`, Depth: Depth === null ? 0 : Depth + 1 };
  // If the user no longer exists, this is detected and reported when the run is to start.
  if (holder && !(await maySee(trx, holder, run))) {
    const why = 'The user that the trigger runs as may not see that run';
    return { ...event, Outcome: 'LeftOut', Message: said(`Run ${RunId}`, why) };
  }
  return { ...event, Message: `Run ${RunId} of ${OwnerName}: ${STATUS_TEXT[Status]}` };
}
