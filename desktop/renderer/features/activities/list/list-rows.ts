/** Activities and checklists as rows of one table: searched, filtered and sorted. */
import type { ActivityList, ActivityListItem } from '#shared/contract/activities.ts';
import type { ActivityMarks, Marks } from '#shared/contract/activity-marks.ts';
import type { ChecklistListItem } from '#shared/contract/checklist-list.ts';
import { isPending, type RunStatus } from '#shared/contract/run-status.ts';
import { runPath, runStatusPath } from '#renderer/features/checklists/checklist-menu.tsx';
import { outcomeOf } from '#renderer/features/runs/history/duration-plot.ts';
import { compareNames } from '#renderer/language/numbers.ts';

export type RowKind = 'Activity' | 'Checklist' | 'Workflow';

export interface RowRun {
  status: RunStatus;
  /** ISO 8601. */
  time: string;
  who: string;
  path: string;
}

export interface ListRow {
  /** Unique among all rows. */
  key: string;
  kind: RowKind;
  id: number;
  name: string;
  description: string;
  schema: string;
  schemaTitle: string;
  group: string;
  purpose: string;
  /** Target of a click on the name. */
  path: string;
  /** Null if the user may not run it. */
  runPath: string | null;
  isActive: boolean;
  run: RowRun | null;
  /** ISO 8601; null if it has no upcoming run or the user may not know. */
  next: string | null;
  isFavourite: boolean;
  /** Position in the user's recent runs, from 0 for the newest; Infinity if the user did not run it recently. */
  recent: number;
  isOwn: boolean;
  item: ActivityListItem | ChecklistListItem;
}

export const WHOSE = ['favourites', 'recent', 'own'] as const;
export type Whose = (typeof WHOSE)[number];

export const STATES = ['running', 'succeeded', 'warned', 'failed', 'cancelled', 'never'] as const;
export type State = (typeof STATES)[number];

export const SORT_KEYS = ['name', 'group', 'last', 'outcome', 'next'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface ListChoice {
  search: string;
  schema: string | null;
  group: string | null;
  state: State | null;
  whose: Whose | null;
  /** Null: favourites first, then recently run items, then by name. */
  sort: { key: SortKey; isDown: boolean } | null;
}

const NO_MARKS: Marks = { Favourites: [], Recent: [], Own: [], NextTimes: [] };

/** @param marks undefined while they are loading */
export function listRows(list: ActivityList, marks: ActivityMarks | undefined): ListRow[] {
  const titles = new Map(list.Schemas.map(({ Name, DisplayName }) => [Name, DisplayName || Name]));
  const ofActivity = marking(marks?.Activities ?? NO_MARKS);
  const ofChecklist = marking(marks?.Checklists ?? NO_MARKS);
  const titleOf = (schema: string): string => titles.get(schema) ?? schema;
  return [
    ...list.Activities.map((item) => ({
      ...activityRow(item),
      ...ofActivity(item.Id),
      schemaTitle: titleOf(item.Schema),
    })),
    ...list.Checklists.map((item) => ({
      ...checklistRow(item),
      ...ofChecklist(item.Id),
      schemaTitle: titleOf(item.Schema),
    })),
  ];
}

function marking(marks: Marks): (id: number) => Pick<ListRow, 'isFavourite' | 'recent' | 'isOwn' | 'next'> {
  const favourites = new Set(marks.Favourites);
  const own = new Set(marks.Own);
  const recent = new Map(marks.Recent.map((id, position) => [id, position]));
  const next = new Map(marks.NextTimes.map(({ Id, NextTime }) => [Id, NextTime]));
  return (id) => ({
    isFavourite: favourites.has(id),
    isOwn: own.has(id),
    recent: recent.get(id) ?? Infinity,
    next: next.get(id) ?? null,
  });
}

type Unmarked = Omit<ListRow, 'isFavourite' | 'recent' | 'isOwn' | 'next' | 'schemaTitle'>;

function activityRow(item: ActivityListItem): Unmarked {
  const { Id, Name, Description, Schema, Group, Function: purpose, CanRun, IsActive, LastRun: run } = item;
  return {
    key: `a${Id}`,
    kind: 'Activity',
    id: Id,
    name: Name,
    description: Description,
    schema: Schema,
    group: Group,
    purpose,
    path: `/activities/${Id}/`,
    runPath: CanRun ? `/activities/run/${Id}/` : null,
    isActive: IsActive,
    run: run && {
      status: run.Status,
      time: run.QueueTime,
      who: run.UserFullName,
      path: `/activities/runstatus/${run.Id}/`,
    },
    item,
  };
}

function checklistRow(item: ChecklistListItem): Unmarked {
  const { Id, Name, Description, Schema, Group, CanRun, IsWorkflow } = item;
  const { LastRunId, LastRunStatus, LastRunQueueTime, LastRunUserFullName, IsLastRunWorkflow } = item;
  const hasRun = LastRunId !== null && LastRunStatus !== null && LastRunQueueTime !== null;
  return {
    key: `c${Id}`,
    kind: IsWorkflow ? 'Workflow' : 'Checklist',
    id: Id,
    name: Name,
    description: Description,
    schema: Schema,
    group: Group,
    purpose: '',
    path: CanRun ? runPath(Id, IsWorkflow) : `/checklists/runhistory/${Id}/`,
    runPath: CanRun ? runPath(Id, IsWorkflow) : null,
    isActive: true,
    run: hasRun
      ? {
          status: LastRunStatus,
          time: LastRunQueueTime,
          who: LastRunUserFullName ?? '',
          path: runStatusPath(LastRunId, IsLastRunWorkflow),
        }
      : null,
    item,
  };
}

function stateOf({ run }: Pick<ListRow, 'run'>): State {
  if (!run) return 'never';
  if (isPending(run.status)) return 'running';
  return outcomeOf(run.status) ?? 'never';
}

/** Returns the rows that match the filters, sorted. */
export function chosenRows(rows: readonly ListRow[], choice: ListChoice): ListRow[] {
  const words = choice.search.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => isChosen(row, choice) && hasWords(row, words)).toSorted(comparing(choice.sort));
}

function isChosen(row: ListRow, { schema, group, state, whose }: ListChoice): boolean {
  if (schema !== null && row.schema !== schema) return false;
  if (group !== null && row.group !== group) return false;
  if (state !== null && stateOf(row) !== state) return false;
  if (whose === 'favourites') return row.isFavourite;
  if (whose === 'recent') return row.recent !== Infinity;
  return whose === null || row.isOwn;
}

function hasWords({ name, description, group, purpose }: ListRow, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${name}\n${description}\n${group}\n${purpose}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

type Compare = (one: ListRow, other: ListRow) => number;

const byName: Compare = (one, other) => compareNames(one.name, other.name) || one.id - other.id;

/** Compares by text or time; rows without one always come last. */
function byText(textOf: (row: ListRow) => string | null, isDown: boolean, compare = compareNames): Compare {
  return (one, other) => {
    const [a, b] = [textOf(one) || null, textOf(other) || null];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return isDown ? compare(b, a) : compare(a, b);
  };
}

const compareTimes = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Worst first, because people mostly look for failures. */
const OUTCOME_ORDER: readonly State[] = ['failed', 'warned', 'running', 'cancelled', 'succeeded', 'never'];

function comparing(sort: ListChoice['sort']): Compare {
  if (sort === null) {
    return (one, other) =>
      Number(other.isFavourite) - Number(one.isFavourite) ||
      recentPosition(one) - recentPosition(other) ||
      byName(one, other);
  }
  const { key, isDown } = sort;
  const first = FIRST[key](isDown);
  return (one, other) => first(one, other) || byName(one, other);
}

/** Cap Infinity, because Infinity minus Infinity is NaN. */
const recentPosition = ({ recent }: ListRow): number => Math.min(recent, Number.MAX_SAFE_INTEGER);

const FIRST: Record<SortKey, (isDown: boolean) => Compare> = {
  name: (isDown) => byText(({ name }) => name, isDown),
  group: (isDown) => byText(({ schemaTitle, group, purpose }) => [schemaTitle, group, purpose].join('\n'), isDown),
  last: (isDown) => byText(({ run }) => run?.time ?? null, isDown, compareTimes),
  next: (isDown) => byText(({ next }) => next, isDown, compareTimes),
  outcome: (isDown) => (one, other) =>
    (OUTCOME_ORDER.indexOf(stateOf(one)) - OUTCOME_ORDER.indexOf(stateOf(other))) * (isDown ? -1 : 1),
};

/** Returns the schemas and groups to choose from. */
export function offeredSchemasAndGroups(rows: readonly ListRow[]): {
  schemas: { name: string; title: string }[];
  groups: string[];
} {
  const schemas = new Map(rows.map(({ schema, schemaTitle }) => [schema, schemaTitle]));
  const groups = new Set(rows.map(({ group }) => group).filter((group) => group !== ''));
  return {
    schemas: [...schemas].map(([name, title]) => ({ name, title })),
    groups: [...groups].toSorted(compareNames),
  };
}
