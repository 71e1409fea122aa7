import { Buffer } from 'node:buffer';
import type { ActivityList } from '#shared/contract/activities.ts';
import type { ActivityScopes } from '#server/access/activity-scopes.ts';
import { lastRunOf, type LastRunColumns } from '#server/versions/last-run.ts';
import { activityList, distinctNames } from './activity-views.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import type { ListRow } from './activities-repository.ts';
import type { ListState } from './list-snapshot.ts';
import type { OwnState } from './own-runs.ts';

/**
 * Caches serialized responses of the list until the list changes. People with the same rights share a response. For
 * people who do not see all runs, only the last runs are serialized individually.
 */
export interface ListAnswers {
  /** @param own the person's own runs; only if they do not see all runs */
  of(state: ListState, scopes: ActivityScopes, checklists: ListedChecklists, own?: OwnState): Buffer;
}

/** The parts of the list besides activities: checklists and their schemas. */
export type ListedChecklists = Pick<ActivityList, 'Schemas' | 'Checklists'>;

/** The columns that decide who may run an activity. */
export type ListedActivity = Pick<ListRow, 'Id' | 'Schema' | 'IsActive'>;

/** Maximum number of cached responses, and of cached frames. */
const MAX_CACHED = 32;

/** Rows per serialized chunk. When a run changes, only its chunk of a list of thousands is serialized again. */
const ROWS_PER_CHUNK = 64;

/** A serialized response, in chunks of ROWS_PER_CHUNK activities. */
interface Written {
  revision: string;
  frame: Frame;
  /** In the order of the frame's rows. */
  runs: (LastRunColumns | undefined)[];
  chunks: Buffer[];
  answer: Buffer;
}

/** A response without its last runs and checklists. */
interface Frame extends Pick<ActivityList, 'Schemas' | 'Groups' | 'Functions'> {
  activities: number;
  rows: FrameRow[];
}

interface FrameRow {
  /** Index in the rows of the list. */
  index: number;
  id: number;
  /** True if the person may see other users' runs of this activity. */
  seesAll: boolean;
  /** JSON of the activity up to the value of LastRun. */
  text: string;
}

export function createListAnswers(): ListAnswers {
  const answers = new Map<string, Written>();
  const frames = new Map<string, Frame>();
  const texts = new WeakMap<LastRunColumns, string>();

  function lastRunText(run: LastRunColumns): string {
    const known = texts.get(run) ?? JSON.stringify(lastRunOf(run));
    texts.set(run, known);
    return known;
  }

  function frameOf(key: string, state: ListState, scopes: ActivityScopes): Frame {
    const known = frames.get(key);
    const frame = known?.activities === state.activities ? known : createFrame(state, scopes);
    addToCache(frames, key, frame);
    return frame;
  }

  function write(
    frame: Frame,
    runs: Written['runs'],
    checklists: ListedChecklists,
    before: Written | undefined,
  ): Omit<Written, 'revision'> {
    const earlier = before?.frame === frame ? before : undefined;
    const chunks: Buffer[] = [];
    for (let from = 0; from < frame.rows.length; from += ROWS_PER_CHUNK) {
      const rows = frame.rows.slice(from, from + ROWS_PER_CHUNK);
      const known =
        rows.every((_, at) => runs[from + at] === earlier?.runs[from + at]) && earlier?.chunks[chunks.length];
      chunks.push(known || Buffer.from(rows.map(({ text }, at) => rowText(text, runs[from + at], from + at)).join('')));
    }
    const answer = Buffer.concat([beginOf(frame, checklists), ...chunks, endOf(frame, checklists)]);
    return { frame, runs, chunks, answer };
  }

  const rowText = (text: string, run: LastRunColumns | undefined, at: number): string =>
    `${at === 0 ? '' : ','}${text}${run ? lastRunText(run) : 'null'}}`;

  return {
    of: (state, scopes, checklists, own) => {
      const key = JSON.stringify([scopes.run, scopes.edit, scopes.viewRuns]);
      const revision = `${state.revision} ${own?.revision ?? ''} ${JSON.stringify(checklists)}`;
      const answerKey = own ? `${key} ${own.userId}` : key;
      const known = answers.get(answerKey);
      const frame = frameOf(key, state, scopes);
      const isSame = known?.revision === revision;
      const written = isSame ? known : { revision, ...write(frame, runsOf(frame, state, own), checklists, known) };
      addToCache(answers, answerKey, written);
      return written.answer;
    },
  };
}

/** Returns the last run to show in each row. */
function runsOf({ rows }: Frame, state: ListState, own: OwnState | undefined): Written['runs'] {
  return rows.map(({ index, id, seesAll }) => (seesAll ? state.rows[index] : own?.runs.get(id)));
}

function addToCache<T>(cache: Map<string, T>, key: string, value: T): void {
  cache.delete(key);
  cache.set(key, value);
  const [oldest] = cache.keys();
  if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
}

/** Applies the same condition as whereVisible does in the database. */
function isVisible({ Id, Schema, IsActive }: ListRow, { run, edit }: ActivityScopes): boolean {
  return (IsActive && isInScope(run, { Id, Schema })) || isInScope(edit, { Id, Schema });
}

function createFrame({ rows, activities }: ListState, scopes: ActivityScopes): Frame {
  const visible = rows.map((row, index) => ({ row, index })).filter(({ row }) => isVisible(row, scopes));
  const list = activityList(
    visible.map(({ row }) => row),
    scopes,
  );
  const { Schemas, Activities, Groups, Functions } = list;
  return {
    activities,
    Schemas,
    Groups,
    Functions,
    rows: visible.map(({ row: { Id, Schema }, index }, at) => {
      const { LastRun: _, ...fields } = Activities[at]!;
      const text = `${JSON.stringify(fields).slice(0, -1)},"LastRun":`;
      return { index, id: Id, seesAll: isInScope(scopes.viewRuns, { Id, Schema }), text };
    }),
  };
}

function beginOf(frame: Frame, checklists: ListedChecklists): Buffer {
  const known = new Set(frame.Schemas.map(({ Name }) => Name));
  const Schemas = [...frame.Schemas, ...checklists.Schemas.filter(({ Name }) => !known.has(Name))];
  return Buffer.from(`{"result":{"Schemas":${JSON.stringify(Schemas)},"Activities":[`);
}

function endOf({ Groups, Functions }: Frame, { Checklists }: ListedChecklists): Buffer {
  const all = distinctNames([...Groups, ...Checklists.map(({ Group }) => Group)]);
  return Buffer.from(`],${JSON.stringify({ Checklists, Groups: all, Functions }).slice(1)}}`);
}
