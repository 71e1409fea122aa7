/** Reads the data of all tiles of a dashboard with a fixed number of statements. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { deadlineIn, TimeLimitError, type Deadline } from '#server/db/time-limit.ts';
import type { ApprovalsService } from '#server/features/approvals/approvals-service.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import { isFileUsage } from '#shared/codecs/input-form.ts';
import {
  TILE_ROWS_MAX,
  type OutcomesData,
  type Tile,
  type TileData,
  type ValuesData,
} from '#shared/contract/dashboards.ts';
import type { OutputInfo } from '#shared/contract/parameters.ts';
import {
  listLastValues,
  listOutcomes,
  listPoints,
  type LastValue,
  type OutcomeSource,
  type PointRow,
  type ValueSource,
} from './tile-runs-repository.ts';
import type { SeenActivity, SeenSources, TileSources, Viewer } from './tile-sources.ts';

export interface TileDataService {
  /** @param person whose approvals are shown; null for visitors */
  of(tiles: readonly Tile[], viewer: Viewer, person: Person | null): Promise<TileData[]>;
}

export interface TileDataDeps {
  database: Database;
  sources: TileSources;
  versions: VersionCatalog;
  approvals: Pick<ApprovalsService, 'list'>;
}

const TIME_LIMIT_MS = 20_000;
const APPROVALS_SHOWN = 10;
const MIN_CONSIDERED_RUNS = 100;

type OutputTile = Extract<Tile, { Kind: 'Value' | 'Table' | 'Plot' }>;
type OutcomesTile = Extract<Tile, { Kind: 'Outcomes' }>;

const isOfOutput = (tile: Tile): tile is OutputTile => 'OutputId' in tile;
const isOfOutcomes = (tile: Tile): tile is OutcomesTile => tile.Kind === 'Outcomes';

const nothing = (Id: string, Reason: string): TileData => ({ Id, Kind: 'Nothing', Reason });

export function createTileData(deps: TileDataDeps): TileDataService {
  return {
    of: async (tiles, viewer, person) => {
      const deadline = deadlineIn(TIME_LIMIT_MS);
      try {
        const seen = await deps.sources.of(deps.database.knex, tiles, viewer);
        return [
          ...(await outputTiles(deps, tiles.filter(isOfOutput), seen, deadline)),
          ...(await outcomeTiles(deps, tiles.filter(isOfOutcomes), seen, deadline)),
          ...(await approvalTiles(deps, tiles, person)),
        ];
      } catch (error) {
        if (!(error instanceof TimeLimitError)) throw error;
        throw new AppError(
          'dashboardTooSlow',
          504,
          'The dashboard took too long to load: show fewer runs in its tiles',
          {
            cause: error,
          },
        );
      }
    },
  };
}

/** Returns why the person sees nothing of an activity or checklist. */
const unseen = (there: boolean, what: string): string =>
  there ? `You may not see this ${what}` : `This ${what} no longer exists`;

async function outputTiles(
  deps: TileDataDeps,
  tiles: readonly OutputTile[],
  { activities }: SeenSources,
  deadline: Deadline,
): Promise<TileData[]> {
  const { knex } = deps.database;
  const seen = tiles.flatMap((tile) => {
    const activity = activities.get(tile.ActivityId);
    return activity ? [{ tile, activity }] : [];
  });
  const points = Map.groupBy(
    await listPoints(knex, valueSources(seen), deadline),
    ({ ActivityParameterId }) => ActivityParameterId,
  );
  const shown = new Map(tiles.map((tile) => [tile.Id, shownOf(tile, points.get(tile.OutputId) ?? [])]));
  const last = seen.flatMap(({ tile: { Id, OutputId } }) => {
    const newest = shown.get(Id)?.at(-1);
    return newest ? [{ runId: newest.Id, outputId: OutputId }] : [];
  });
  const values = await listLastValues(knex, last, deadline);
  return Promise.all(
    tiles.map(async (tile) => {
      const activity = activities.get(tile.ActivityId);
      if (!activity) return nothing(tile.Id, unseen(activity === null, 'activity'));
      return valuesOf(deps, tile, activity, shown.get(tile.Id) ?? [], values);
    }),
  );
}

const runsOf = (tile: OutputTile): number =>
  tile.Kind === 'Table' ? 1 : tile.Kind === 'Value' ? Math.max(2, tile.Runs) : tile.Runs;

/**
 * Returns how many of the newest runs, by id, are searched for those that ended last. A retried run keeps its id and
 * therefore its position.
 */
const consideredFor = (tile: OutputTile): number => Math.max(MIN_CONSIDERED_RUNS, runsOf(tile));

const endOf = ({ EndTime, QueueTime }: PointRow): Date => EndTime ?? QueueTime;

/** Returns the runs that a tile shows, in order of their end. @param newest ordered by id, newest first */
function shownOf(tile: OutputTile, newest: readonly PointRow[]): PointRow[] {
  return newest
    .slice(0, consideredFor(tile))
    .toSorted((a, b) => endOf(a).getTime() - endOf(b).getTime() || a.Id - b.Id)
    .slice(-runsOf(tile));
}

/** Returns one source per activity, shared by all its tiles. */
function valueSources(seen: readonly { tile: OutputTile; activity: SeenActivity }[]): ValueSource[] {
  return [...Map.groupBy(seen, ({ activity }) => activity)].map(([activity, of]) => ({
    activityId: activity.Id,
    outputIds: [...new Set(of.map(({ tile }) => tile.OutputId))],
    onlyOf: activity.onlyOf,
    limit: Math.max(...of.map(({ tile }) => consideredFor(tile))),
  }));
}

async function valuesOf(
  { versions }: TileDataDeps,
  tile: OutputTile,
  activity: SeenActivity,
  shown: readonly PointRow[],
  values: readonly LastValue[],
): Promise<TileData> {
  const newest = shown.at(-1);
  const version = await versions.get(activity.Id, newest?.ActivityVersion ?? activity.Version);
  const output = version?.outputs.find(({ Id }) => Id === tile.OutputId);
  if (!output) return nothing(tile.Id, 'This output no longer exists');
  if (isFileUsage(output.Info.CellUsages[0])) return nothing(tile.Id, 'A tile cannot show files');
  const last = values.find(
    ({ ActivityRunId, ActivityParameterId }) => ActivityRunId === newest?.Id && ActivityParameterId === tile.OutputId,
  );
  if (last && last.Value === null && last.Rows !== null)
    return nothing(tile.Id, 'The table is too large for a tile. Open the run to see it.');
  return {
    Id: tile.Id,
    Kind: 'Values',
    ActivityId: activity.Id,
    Name: activity.Name,
    OutputName: output.Name,
    IsOwn: activity.onlyOf !== undefined,
    ...shortened(output.Info, last),
    Points: shown.map((run) => ({ Id: run.Id, Time: endOf(run).toISOString(), Value: run.Number })),
  };
}

/** Truncates a table to the few rows that fit in a tile. */
function shortened(info: OutputInfo, last: LastValue | undefined): Pick<ValuesData, 'Info' | 'Value' | 'Rows'> {
  const Value = last?.Value ?? null;
  const whole = { Info: info, Value, Rows: last?.Rows ?? null };
  if (Value === null || info.RangeType === 'SingleCell' || info.RangeType === 'SingleRowOfSimilarValues') return whole;
  const rows = JSON.parse(Value) as unknown[];
  if (!Array.isArray(rows) || rows.length <= TILE_ROWS_MAX) return whole;
  const Info = { ...info, RowHeaderValues: info.RowHeaderValues.slice(0, TILE_ROWS_MAX) };
  return { Info, Value: JSON.stringify(rows.slice(0, TILE_ROWS_MAX)), Rows: rows.length };
}

async function outcomeTiles(
  { database: { knex } }: TileDataDeps,
  tiles: readonly OutcomesTile[],
  seen: SeenSources,
  deadline: Deadline,
): Promise<TileData[]> {
  const owners = tiles.map(({ ActivityId, ChecklistId }) =>
    ActivityId !== null ? seen.activities.get(ActivityId) : seen.checklists.get(ChecklistId ?? 0),
  );
  const sources = tiles.flatMap(({ ActivityId, Scheduled, Runs }, index): OutcomeSource[] => {
    const owner = owners[index];
    if (!owner) return [];
    const table = ActivityId !== null ? 'ActivityRuns' : 'ChecklistRuns';
    return [{ index, table, ownerId: owner.Id, onlyOf: owner.onlyOf, scheduled: Scheduled, limit: Runs }];
  });
  const rows = Map.groupBy(await listOutcomes(knex, sources, deadline), ({ Place }) => Place);
  return tiles.map(({ Id, ActivityId, ChecklistId }, index) => {
    const owner = owners[index];
    if (!owner) return nothing(Id, unseen(owner === null, ActivityId !== null ? 'activity' : 'checklist'));
    const Runs = (rows.get(index) ?? [])
      .map(({ Id, QueueTime, Status }) => ({ Id, Time: QueueTime.toISOString(), Status }))
      .reverse();
    const data: OutcomesData = {
      Id,
      Kind: 'Outcomes',
      ActivityId,
      ChecklistId,
      Name: owner.Name,
      IsOwn: owner.onlyOf !== undefined,
      Runs,
    };
    return data;
  });
}

async function approvalTiles(
  { approvals }: TileDataDeps,
  tiles: readonly Tile[],
  person: Person | null,
): Promise<TileData[]> {
  const wanted = tiles.filter(({ Kind }) => Kind === 'Approvals');
  if (wanted.length === 0) return [];
  if (!person || person.keyScope !== undefined)
    return wanted.map(({ Id }) => nothing(Id, 'Approvals are shown only to users who are signed in'));
  const { Items, HasMore } = await approvals.list(person, 'waiting', null);
  const shown = Items.slice(0, APPROVALS_SHOWN);
  return wanted.map(({ Id }) => ({
    Id,
    Kind: 'Approvals',
    Items: shown,
    HasMore: HasMore || Items.length > shown.length,
  }));
}
