/**
 * Dashboards: pages of tiles that show run results at a glance. A tile shows each user only what they may see anyway,
 * and otherwise a reason why it is empty.
 */
import { Type, type Static } from 'typebox';
import { ApprovalItem } from './approvals.ts';
import {
  closed,
  get,
  Id,
  IdParams,
  nullable,
  post,
  needs,
  publicAccess,
  RunId,
  signedIn,
  Timestamp,
} from './endpoint.ts';
import { OutputInfo } from './parameters.ts';
import { RunStatus } from './run-status.ts';
import { Approver } from './workflows.ts';

export const DASHBOARD_COLUMNS = 12;
export const DASHBOARD_NAME_MAX = 60;
export const TILES_MAX = 40;
export const TILE_TITLE_MAX = 100;
export const TILE_TEXT_MAX = 4000;
export const TILE_ROWS_MAX = 100;
const SHARES_MAX = 100;
const LINES_MAX = 1000;

const tile = {
  /** Unique within the dashboard. */
  Id: Type.String({ pattern: '^[a-z0-9]{1,12}$' }),
  /** If empty, the tile is titled after its content. */
  Title: Type.String({ maxLength: TILE_TITLE_MAX }),
  /** Column and line of the upper left corner, and the size in columns and lines. */
  X: Type.Integer({ minimum: 0, maximum: DASHBOARD_COLUMNS - 1 }),
  Y: Type.Integer({ minimum: 0, maximum: LINES_MAX }),
  W: Type.Integer({ minimum: 1, maximum: DASHBOARD_COLUMNS }),
  H: Type.Integer({ minimum: 1, maximum: 40 }),
};

const source = { ActivityId: Id, OutputId: Id };

/** The latest value of an output, with the previous values for its trend. */
const ValueTile = closed({
  ...tile,
  Kind: Type.Literal('Value'),
  ...source,
  Runs: Type.Integer({ minimum: 2, maximum: 100 }),
});

/** The latest table of an output. */
const TableTile = closed({ ...tile, Kind: Type.Literal('Table'), ...source });

/** Plots an output over the last runs. */
const PlotTile = closed({
  ...tile,
  Kind: Type.Literal('Plot'),
  ...source,
  Runs: Type.Integer({ minimum: 2, maximum: 1000 }),
});

/** How the last runs of an activity or a checklist ended. One of the two ids is set. */
const OutcomesTile = closed({
  ...tile,
  Kind: Type.Literal('Outcomes'),
  ActivityId: nullable(Id),
  ChecklistId: nullable(Id),
  /** True to show only runs started by a schedule. */
  Scheduled: Type.Boolean(),
  Runs: Type.Integer({ minimum: 1, maximum: 100 }),
});

/** Approvals that wait for the viewing user. */
const ApprovalsTile = closed({ ...tile, Kind: Type.Literal('Approvals') });

const TextTile = closed({ ...tile, Kind: Type.Literal('Text'), Text: Type.String({ maxLength: TILE_TEXT_MAX }) });

export const Tile = Type.Union([ValueTile, TableTile, PlotTile, OutcomesTile, ApprovalsTile, TextTile]);
export type Tile = Static<typeof Tile>;
export type TileKind = Tile['Kind'];

const Tiles = Type.Array(Tile, { maxItems: TILES_MAX });

/** What a tile currently shows. Text tiles have no data. */
export const TileData = Type.Union([
  /** Reason why the tile shows nothing, as text for users. */
  closed({ Id: tile.Id, Kind: Type.Literal('Nothing'), Reason: Type.String() }),
  closed({
    Id: tile.Id,
    Kind: Type.Literal('Values'),
    ActivityId: Id,
    /** Name of the activity and of the output. */
    Name: Type.String(),
    OutputName: Type.String(),
    /** True if only the viewing user's own runs are included. */
    IsOwn: Type.Boolean(),
    /** The output's definition in the last run. */
    Info: OutputInfo,
    /** JSON text in the format of an output; for a table, only the first rows. Null if no run returned a value. */
    Value: nullable(Type.String()),
    /** For a table: total number of rows. */
    Rows: nullable(Type.Integer()),
    /** In the order of their end times, which Time contains. Value is null if a run returned no number. */
    Points: Type.Array(closed({ Id: RunId, Time: Timestamp, Value: nullable(Type.Number()) })),
  }),
  closed({
    Id: tile.Id,
    Kind: Type.Literal('Outcomes'),
    ActivityId: nullable(Id),
    ChecklistId: nullable(Id),
    Name: Type.String(),
    IsOwn: Type.Boolean(),
    /** Runs that have ended, newest last. */
    Runs: Type.Array(closed({ Id: RunId, Time: Timestamp, Status: RunStatus })),
  }),
  closed({
    Id: tile.Id,
    Kind: Type.Literal('Approvals'),
    Items: Type.Array(ApprovalItem),
    HasMore: Type.Boolean(),
  }),
]);
export type TileData = Static<typeof TileData>;
export type ValuesData = Extract<TileData, { Kind: 'Values' }>;
export type OutcomesData = Extract<TileData, { Kind: 'Outcomes' }>;

const RoleName = Type.String({ minLength: 1, maxLength: 50 });
const Name = Type.String({ minLength: 1, maxLength: DASHBOARD_NAME_MAX, pattern: '\\S' });

export const DashboardShare = Type.Union([
  closed({ RoleName, CanEdit: Type.Boolean() }),
  closed({ UserId: Id, CanEdit: Type.Boolean() }),
]);
export type DashboardShare = Static<typeof DashboardShare>;

export const DashboardItem = closed({
  Id,
  Name: Type.String(),
  OwnerFullName: Type.String(),
  IsOwn: Type.Boolean(),
  CanEdit: Type.Boolean(),
  IsPublic: Type.Boolean(),
  ModifiedTime: Timestamp,
});
export type DashboardItem = Static<typeof DashboardItem>;

export const DASHBOARDS_PAGE = 50;

export const dashboardList = post('/api/dashboards/list', {
  access: signedIn,
  summary: 'List the dashboards that the user owns or that are shared with the user, by name, paged',
  parts: {
    body: closed({
      /** Part of a name. */
      Search: Type.String({ maxLength: DASHBOARD_NAME_MAX }),
      /** The last dashboard shown; null for the first page. */
      After: nullable(closed({ Name: Type.String({ maxLength: DASHBOARD_NAME_MAX }), Id })),
    }),
    result: closed({ Items: Type.Array(DashboardItem), HasMore: Type.Boolean() }),
  },
});

export const Dashboard = closed({
  Id,
  Name: Type.String(),
  OwnerFullName: Type.String(),
  Revision: Type.Integer(),
  CanEdit: Type.Boolean(),
  /** True if the user may share and delete it. */
  CanShare: Type.Boolean(),
  /** True if the user may create a public link. */
  CanPublish: Type.Boolean(),
  /** True if the user may make it the start page of roles. */
  CanSetRoles: Type.Boolean(),
  Tiles,
  /** True if the user chose it as their own start page. */
  IsStart: Type.Boolean(),
  /** Only for users who may share it. */
  Shares: Type.Array(DashboardShare),
  /** Users that the shares refer to. */
  Users: Type.Array(Approver),
  /** Roles whose start page it is. Only for users who may change this. */
  StartRoles: Type.Array(Type.String()),
  PublicLink: nullable(closed({ MadeByFullName: Type.String(), Time: Timestamp, ExpiryTime: nullable(Timestamp) })),
});
export type Dashboard = Static<typeof Dashboard>;

export const dashboardDetails = get('/api/dashboards/details/:id', {
  access: signedIn,
  summary: 'Get a dashboard that the user owns or that is shared with the user',
  parts: { params: IdParams, result: Dashboard },
});

export const dashboardData = get('/api/dashboards/data/:id', {
  access: signedIn,
  summary: 'Get the current data of all tiles of a dashboard, as far as the user may see it',
  parts: {
    params: IdParams,
    query: closed({
      Revision: Type.Optional(Type.Integer({ minimum: 0, description: '409 if the dashboard has another one by now' })),
    }),
    result: Type.Array(TileData),
  },
});

export const previewTiles = post('/api/dashboards/preview', {
  access: signedIn,
  summary: 'Preview the data of unsaved tiles, as far as the user may see it',
  parts: { body: closed({ Tiles }), result: Type.Array(TileData) },
});

export const TileSources = closed({
  Name: Type.String(),
  /** Outputs that are not files. */
  Outputs: Type.Array(closed({ Id, Name: Type.String(), IsTable: Type.Boolean(), IsNumber: Type.Boolean() })),
});
export type TileSources = Static<typeof TileSources>;

export const tileSources = get('/api/dashboards/sources/:id', {
  access: signedIn,
  summary: 'List the outputs of an activity that a tile can show',
  parts: { params: IdParams, result: TileSources },
});

export const saveDashboard = post('/api/dashboards/save', {
  access: signedIn,
  summary: 'Create a dashboard, or update one that the user may edit',
  parts: {
    body: closed({
      /** Null creates a new dashboard. */
      Id: nullable(Id),
      /** The revision that was read; 0 for a new dashboard. */
      Revision: Type.Integer({ minimum: 0 }),
      Name,
      Tiles,
    }),
    result: closed({ Id, Revision: Type.Integer() }),
  },
});

export const deleteDashboard = post('/api/dashboards/delete/:id', {
  access: signedIn,
  summary: 'Delete one of the user’s own dashboards',
  parts: { params: IdParams, result: Type.Null() },
});

export const shareDashboard = post('/api/dashboards/share', {
  access: signedIn,
  summary: 'Set the roles and people with whom one of the user’s own dashboards is shared',
  parts: {
    body: closed({ Id, Shares: Type.Array(DashboardShare, { maxItems: SHARES_MAX }) }),
    result: Type.Null(),
  },
});

export const dashboardPeople = post('/api/dashboards/people', {
  access: signedIn,
  summary: 'List the roles and people with whom a dashboard can be shared',
  parts: {
    body: closed({
      /** The owner of this dashboard is omitted from the result. */
      DashboardId: Type.Optional(Id),
      Search: Type.String({ maxLength: 200 }),
    }),
    result: closed({ Roles: Type.Array(Type.String()), Users: Type.Array(Approver), HasMore: Type.Boolean() }),
  },
});

export const PUBLIC_DAYS_MAX = 365;

export const publishDashboard = post('/api/dashboards/publish', {
  access: needs('sk.ManageRights'),
  summary: 'Create a public link of a dashboard whose activities are all public; revokes the previous link',
  parts: {
    body: closed({
      Id,
      /** Days of validity; null until revoked. */
      Days: nullable(Type.Integer({ minimum: 1, maximum: PUBLIC_DAYS_MAX })),
    }),
    /** Opens the dashboard. Returned only once. */
    result: closed({ Token: Type.String() }),
  },
});

export const unpublishDashboard = post('/api/dashboards/unpublish/:id', {
  access: signedIn,
  summary: 'Revoke the public link of a dashboard; for its owner and everyone who may create public links',
  parts: { params: IdParams, result: Type.Null() },
});

export const publicDashboard = post('/api/public/dashboards', {
  access: publicAccess,
  summary: 'Get a dashboard and the data of its tiles, for anyone who has its public link',
  parts: {
    body: closed({ Token: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }) }),
    result: closed({ Name: Type.String(), Tiles, Data: Type.Array(TileData) }),
  },
});

export const startPage = get('/api/startPage', {
  access: signedIn,
  summary: 'Get the user’s start dashboard: the one that the user chose, otherwise the one of one of the user’s roles',
  parts: { result: closed({ DashboardId: nullable(Id) }) },
});

export const setStartPage = post('/api/startPage', {
  access: signedIn,
  summary: 'Set the user’s start dashboard; null for none',
  parts: { body: closed({ DashboardId: nullable(Id) }), result: Type.Null() },
});

export const setRoleStartPages = post('/api/dashboards/startroles', {
  access: needs('sk.ManageRoles'),
  summary: 'Set the roles that have a shared dashboard as their start page',
  parts: { body: closed({ Id, Roles: Type.Array(RoleName, { maxItems: SHARES_MAX }) }), result: Type.Null() },
});
