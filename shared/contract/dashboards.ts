/** Pages of tiles that show at a glance what runs came to. A tile shows each person what they may see anyway, and else says so. */
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
  /** Tells the tiles of a dashboard apart. */
  Id: Type.String({ pattern: '^[a-z0-9]{1,12}$' }),
  /** Empty: named after what it shows. */
  Title: Type.String({ maxLength: TILE_TITLE_MAX }),
  /** Column and line of its upper left corner, and its size, in columns and lines. */
  X: Type.Integer({ minimum: 0, maximum: DASHBOARD_COLUMNS - 1 }),
  Y: Type.Integer({ minimum: 0, maximum: LINES_MAX }),
  W: Type.Integer({ minimum: 1, maximum: DASHBOARD_COLUMNS }),
  H: Type.Integer({ minimum: 1, maximum: 40 }),
};

const source = { ActivityId: Id, OutputId: Id };

/** The last value of an output, with as many values before it as its trend shows. */
const ValueTile = closed({
  ...tile,
  Kind: Type.Literal('Value'),
  ...source,
  Runs: Type.Integer({ minimum: 2, maximum: 100 }),
});

/** The table that an output was at last. */
const TableTile = closed({ ...tile, Kind: Type.Literal('Table'), ...source });

/** An output over the last runs. */
const PlotTile = closed({
  ...tile,
  Kind: Type.Literal('Plot'),
  ...source,
  Runs: Type.Integer({ minimum: 2, maximum: 1000 }),
});

/** How the last runs ended, of one of the two. */
const OutcomesTile = closed({
  ...tile,
  Kind: Type.Literal('Outcomes'),
  ActivityId: nullable(Id),
  ChecklistId: nullable(Id),
  /** Those alone that a schedule started. */
  Scheduled: Type.Boolean(),
  Runs: Type.Integer({ minimum: 1, maximum: 100 }),
});

/** What waits for the approval of whoever looks. */
const ApprovalsTile = closed({ ...tile, Kind: Type.Literal('Approvals') });

const TextTile = closed({ ...tile, Kind: Type.Literal('Text'), Text: Type.String({ maxLength: TILE_TEXT_MAX }) });

export const Tile = Type.Union([ValueTile, TableTile, PlotTile, OutcomesTile, ApprovalsTile, TextTile]);
export type Tile = Static<typeof Tile>;
export type TileKind = Tile['Kind'];

const Tiles = Type.Array(Tile, { maxItems: TILES_MAX });

/** What a tile shows now. Text tiles have none. */
export const TileData = Type.Union([
  /** Why it shows nothing, for people. */
  closed({ Id: tile.Id, Kind: Type.Literal('Nothing'), Reason: Type.String() }),
  closed({
    Id: tile.Id,
    Kind: Type.Literal('Values'),
    ActivityId: Id,
    /** Of the activity and of the output. */
    Name: Type.String(),
    OutputName: Type.String(),
    /** Whether only runs of whoever looks are among them. */
    IsOwn: Type.Boolean(),
    /** As the output was in the last run. */
    Info: OutputInfo,
    /** JSON text, as of an output; of a table the first rows. Null where no run has come to one. */
    Value: nullable(Type.String()),
    /** Of a table. */
    Rows: nullable(Type.Integer()),
    /** In the order in which they ended, with the time of that; null where a run came to no number. */
    Points: Type.Array(closed({ Id: RunId, Time: Timestamp, Value: nullable(Type.Number()) })),
  }),
  closed({
    Id: tile.Id,
    Kind: Type.Literal('Outcomes'),
    ActivityId: nullable(Id),
    ChecklistId: nullable(Id),
    Name: Type.String(),
    IsOwn: Type.Boolean(),
    /** Those that have ended; the newest last. */
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
  summary: 'Dashboards that the person owns or that are shared with them, by name, a page at a time',
  parts: {
    body: closed({
      /** Part of a name. */
      Search: Type.String({ maxLength: DASHBOARD_NAME_MAX }),
      /** The last one shown; null for the first page. */
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
  /** Whether the person may share and delete it. */
  CanShare: Type.Boolean(),
  /** Whether they may make a link for everybody. */
  CanPublish: Type.Boolean(),
  /** Whether they may say with what roles begin. */
  CanSetRoles: Type.Boolean(),
  Tiles,
  /** Whether the person begins with it by their own choice. */
  IsStart: Type.Boolean(),
  /** For those who may share it. */
  Shares: Type.Array(DashboardShare),
  /** People whom the shares name. */
  Users: Type.Array(Approver),
  /** Roles that begin with it; for those who may say so. */
  StartRoles: Type.Array(Type.String()),
  PublicLink: nullable(closed({ MadeByFullName: Type.String(), Time: Timestamp, ExpiryTime: nullable(Timestamp) })),
});
export type Dashboard = Static<typeof Dashboard>;

export const dashboardDetails = get('/api/dashboards/details/:id', {
  access: signedIn,
  summary: 'A dashboard, for those it is shared with',
  parts: { params: IdParams, result: Dashboard },
});

export const dashboardData = get('/api/dashboards/data/:id', {
  access: signedIn,
  summary: 'What all tiles of a dashboard show now, as far as the person may see it',
  parts: { params: IdParams, result: Type.Array(TileData) },
});

export const previewTiles = post('/api/dashboards/preview', {
  access: signedIn,
  summary: 'What tiles would show that are not saved yet, as far as the person may see it',
  parts: { body: closed({ Tiles }), result: Type.Array(TileData) },
});

export const TileSources = closed({
  Name: Type.String(),
  /** That are no files. */
  Outputs: Type.Array(closed({ Id, Name: Type.String(), IsTable: Type.Boolean(), IsNumber: Type.Boolean() })),
});
export type TileSources = Static<typeof TileSources>;

export const tileSources = get('/api/dashboards/sources/:id', {
  access: signedIn,
  summary: 'The outputs of an activity that a tile can show',
  parts: { params: IdParams, result: TileSources },
});

export const saveDashboard = post('/api/dashboards/save', {
  access: signedIn,
  summary: 'Make a dashboard, or change one that may be edited',
  parts: {
    body: closed({
      /** Null for a new one. */
      Id: nullable(Id),
      /** As it was read; 0 for a new one. */
      Revision: Type.Integer({ minimum: 0 }),
      Name,
      Tiles,
    }),
    result: closed({ Id, Revision: Type.Integer() }),
  },
});

export const deleteDashboard = post('/api/dashboards/delete/:id', {
  access: signedIn,
  summary: 'Delete a dashboard of one’s own',
  parts: { params: IdParams, result: Type.Null() },
});

export const shareDashboard = post('/api/dashboards/share', {
  access: signedIn,
  summary: 'Say with which roles and people a dashboard of one’s own is shared',
  parts: {
    body: closed({ Id, Shares: Type.Array(DashboardShare, { maxItems: SHARES_MAX }) }),
    result: Type.Null(),
  },
});

export const dashboardPeople = post('/api/dashboards/people', {
  access: signedIn,
  summary: 'Roles and people with whom a dashboard can be shared',
  parts: {
    body: closed({
      /** Whose owner is left out. */
      DashboardId: Type.Optional(Id),
      Search: Type.String({ maxLength: 200 }),
    }),
    result: closed({ Roles: Type.Array(Type.String()), Users: Type.Array(Approver), HasMore: Type.Boolean() }),
  },
});

export const PUBLIC_DAYS_MAX = 365;

export const publishDashboard = post('/api/dashboards/publish', {
  access: needs('sk.ManageRights'),
  summary:
    'Make a link by which everybody sees the dashboard, where all its activities are public; an earlier one ends',
  parts: {
    body: closed({
      Id,
      /** Null: until it is revoked. */
      Days: nullable(Type.Integer({ minimum: 1, maximum: PUBLIC_DAYS_MAX })),
    }),
    /** Opens it, and is told this once. */
    result: closed({ Token: Type.String() }),
  },
});

export const unpublishDashboard = post('/api/dashboards/unpublish/:id', {
  access: signedIn,
  summary: 'Revoke the public link, for the owner and those who may make one',
  parts: { params: IdParams, result: Type.Null() },
});

export const publicDashboard = post('/api/public/dashboards', {
  access: publicAccess,
  summary: 'A dashboard and what its tiles show, for whoever has its link',
  parts: {
    body: closed({ Token: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }) }),
    result: closed({ Name: Type.String(), Tiles, Data: Type.Array(TileData) }),
  },
});

export const startPage = get('/api/startPage', {
  access: signedIn,
  summary: 'The dashboard that the person begins with: their own choice, else that of one of their roles',
  parts: { result: closed({ DashboardId: nullable(Id) }) },
});

export const setStartPage = post('/api/startPage', {
  access: signedIn,
  summary: 'Choose the dashboard to begin with; null for none',
  parts: { body: closed({ DashboardId: nullable(Id) }), result: Type.Null() },
});

export const setRoleStartPages = post('/api/dashboards/startroles', {
  access: needs('sk.ManageRoles'),
  summary: 'Say which roles begin with a dashboard that is shared with them',
  parts: { body: closed({ Id, Roles: Type.Array(RoleName, { maxItems: SHARES_MAX }) }), result: Type.Null() },
});
