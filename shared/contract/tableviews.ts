/** Saved, read-only views of tables behind named connections. Source: specification of activities, sections 2, 3, 5, 7 and 9. */
import { Type, type Static } from 'typebox';
import {
  closed,
  closedBut,
  EditedRevision,
  get,
  Id,
  IdParams,
  needs,
  needsOn,
  nullable,
  post,
  Revision,
} from './endpoint.ts';

export const VIEW_NAME_MAX = 30;
export const DISPLAY_NAME_MAX = 128;
/** Number of rows per page. */
export const PAGE_ROWS = 100;
/** Maximum number of columns to sort by at a time. */
export const MAX_SORT_COLUMNS = 5;
/** Maximum number of values of all filters together: databases accept only about 2,000 parameters in one statement. */
export const MAX_FILTER_VALUES = 1000;
/** Maximum number of characters of one value of a filter. */
export const FILTER_VALUE_MAX = 4000;

export const ViewUsage = Type.Enum(['Number', 'Text', 'Date']);
export type ViewUsage = Static<typeof ViewUsage>;

export const ViewColumn = closed({
  ColumnName: Type.String({ minLength: 1, maxLength: 128 }),
  DataType: Type.String({ maxLength: 300 }),
  DisplayName: Type.String({ maxLength: DISPLAY_NAME_MAX }),
  CellUsage: ViewUsage,
  /** An Excel number format; '' for none. */
  DisplayFormat: Type.String({ maxLength: 100 }),
  Selected: Type.Boolean(),
});
export type ViewColumn = Static<typeof ViewColumn>;

/** Maximum number of characters of a condition. */
export const CONDITION_MAX = 4000;

/** Content of the JSON text ViewInfo. Columns are shown in this order. */
export const ViewInfo = closed({
  Columns: Type.Array(ViewColumn, { minItems: 1, maxItems: 2000 }),
  /**
   * Limits the rows of the view by a condition on any columns of the table. @UserName and @Roles refer to the user.
   * Returned only to users who may change views.
   */
  RowCondition: Type.Optional(Type.String({ maxLength: CONDITION_MAX })),
});
export type ViewInfo = Static<typeof ViewInfo>;

const ConnectionName = Type.String({ minLength: 1, maxLength: 60 });
/** 'schema.table' as spelled in the database's catalog. */
const TableName = Type.String({ minLength: 1, maxLength: 257 });

const InfoText = Type.String({ description: 'JSON: {Columns, RowCondition}', maxLength: 2_000_000 });

export const TableViewItem = closed({ Id, ConnectionName, TableName, ViewName: Type.String() });
export type TableViewItem = Static<typeof TableViewItem>;

export const TableView = closed({ ...TableViewItem.properties, ViewInfo: InfoText, Revision });
export type TableView = Static<typeof TableView>;

export const listTableViews = get('/api/tableviews', {
  access: needsOn('sk.ViewTable'),
  summary: 'List the views of the tables that the user may see',
  parts: { result: closed({ Items: Type.Array(TableViewItem) }) },
});

export const ConnectionTable = closed({ ConnectionName, TableName });
export type ConnectionTable = Static<typeof ConnectionTable>;

export const listTables = get('/api/tableviews/tables', {
  access: needs('sk.ManageTableViews'),
  summary: 'List the tables for which the user may create views',
  parts: {
    result: closed({
      Items: Type.Array(ConnectionTable),
      /** Why tables of some connections are missing. */
      Messages: Type.Array(Type.String()),
    }),
  },
});

export const TableColumn = closed({ ColumnName: Type.String(), DataType: Type.String() });
export type TableColumn = Static<typeof TableColumn>;

export const listTableColumns = get('/api/tableviews/columns/:table', {
  access: needs('sk.ManageTableViews'),
  summary: 'List the columns of a table; the connection is optional if the user may use only one',
  parts: {
    params: closed({ table: TableName }),
    query: closed({ ConnectionName: Type.Optional(ConnectionName) }),
    result: closed({ Items: Type.Array(TableColumn) }),
  },
});

export const tableViewDetails = get('/api/tableviews/details/:id', {
  access: needsOn('sk.ViewTable'),
  summary: 'Get a view with its columns',
  parts: { params: IdParams, result: TableView },
});

export const createTableView = post('/api/tableviews/create', {
  access: needs('sk.ManageTableViews'),
  summary: 'Create a view of a table; the connection is optional if the user may use only one',
  parts: {
    body: closedBut(['Id', 'Revision'], {
      ConnectionName: Type.Optional(ConnectionName),
      TableName,
      ViewName: Type.String({ maxLength: 1000, description: `Cut to ${VIEW_NAME_MAX} characters` }),
      ViewInfo: InfoText,
    }),
    result: closed({ Id }),
  },
});

export const updateTableView = post('/api/tableviews/update', {
  access: needs('sk.ManageTableViews'),
  summary: 'Update the columns of a view; its name and table do not change',
  parts: {
    body: closedBut(Object.keys(TableView.properties), { Id, ViewInfo: InfoText, Revision: EditedRevision }),
    result: closed({ Id }),
  },
});

/** Type by which a column is filtered: its database type, unless the view says Text. */
export const FilterKind = Type.Enum(['Number', 'Text', 'Date', 'Boolean']);
export type FilterKind = Static<typeof FilterKind>;

export const deleteTableView = post('/api/tableviews/delete/:id', {
  access: needs('sk.ManageTableViews'),
  summary: 'Delete a view; its table does not change',
  parts: { params: IdParams, result: closed({ Id }) },
});

export const sampleTableRows = post('/api/tableviews/sample', {
  access: needs('sk.ManageTableViews'),
  summary: 'Get sample rows of a table for choosing columns and formats',
  parts: {
    body: closed({ ConnectionName, TableName }),
    result: closed({
      Columns: Type.Array(closed({ ColumnName: Type.String(), FilterKind })),
      Rows: Type.Array(Type.Array(nullable(Type.String()))),
    }),
  },
});

export const FILTER_OPERATORS = [
  'equals',
  'notEquals',
  'less',
  'greater',
  'between',
  'contains',
  'startsWith',
  'in',
  'blank',
  'notBlank',
] as const;
export const FilterOperator = Type.Enum([...FILTER_OPERATORS]);
export type FilterOperator = Static<typeof FilterOperator>;

const ColumnName = Type.String({ minLength: 1, maxLength: 128 });

/** Numbers use a decimal point; days are '2026-01-31', times '2026-01-31 13:45:00', Booleans TRUE and FALSE. */
export const ColumnFilter = closed({
  ColumnName,
  Operator: FilterOperator,
  Values: Type.Array(Type.String({ maxLength: FILTER_VALUE_MAX }), { maxItems: MAX_FILTER_VALUES }),
});
export type ColumnFilter = Static<typeof ColumnFilter>;

export const ColumnSort = closed({ ColumnName, Descending: Type.Boolean() });
export type ColumnSort = Static<typeof ColumnSort>;

/** Filters, order and columns that a user chooses for a view and may save as their own view. */
export const ViewChoice = closed({
  /** All filters must hold for a row. */
  Filters: Type.Optional(Type.Array(ColumnFilter, { maxItems: 100 })),
  /** An additional condition on the columns of the view. */
  Condition: Type.Optional(Type.String({ maxLength: CONDITION_MAX })),
  Sort: Type.Optional(Type.Array(ColumnSort, { maxItems: MAX_SORT_COLUMNS })),
  /**
   * Columns to show, in the order of the view; all if absent. Other columns can still be used in filters and for
   * sorting.
   */
  Columns: Type.Optional(Type.Array(ColumnName, { minItems: 1, maxItems: 2000 })),
});
export type ViewChoice = Static<typeof ViewChoice>;

export const FilterCriteria = closed({
  ...ViewChoice.properties,
  /** `Next` of the previous page; null for the first page. */
  After: Type.Optional(nullable(Type.Array(nullable(Type.String({ maxLength: 100_000 })), { maxItems: 40 }))),
});
export type FilterCriteria = Static<typeof FilterCriteria>;

export const ValueColumn = closed({
  ColumnName: Type.String(),
  DisplayName: Type.String(),
  CellUsage: ViewUsage,
  DisplayFormat: Type.String(),
  FilterKind,
  CanSort: Type.Boolean(),
  /** Type by which a condition compares it; null if conditions may not refer to it. */
  ConditionKind: nullable(FilterKind),
});
export type ValueColumn = Static<typeof ValueColumn>;

/** Values in the database's own notation, so that no digit is lost. */
export const TableValues = closed({
  Columns: Type.Array(ValueColumn),
  Rows: Type.Array(Type.Array(nullable(Type.String()))),
  /** `After` for the next page; null after the last one. */
  Next: nullable(Type.Array(nullable(Type.String()))),
  /** Why further rows may exist that cannot be reached; '' if that is not the case. */
  Message: Type.String(),
  /**
   * Suggests an index that would have made a slow page fast; '' if none is missing. Returned only to users who may
   * change views.
   */
  IndexHint: Type.String(),
});
export type TableValues = Static<typeof TableValues>;

/** The criteria, either in `FilterCriteria`, as in the specification, or as fields of the body itself. */
export const TableValuesQuery = closed({
  ...FilterCriteria.properties,
  /** Null returns all rows. If present, no other field is allowed. */
  FilterCriteria: Type.Optional(nullable(FilterCriteria)),
});
export type TableValuesQuery = Static<typeof TableValuesQuery>;

export const tableViewValues = post('/api/tableviews/values/:id', {
  access: needsOn('sk.ViewTable'),
  summary: 'Get a page of the rows of a view: in TableValues if the body has FilterCriteria, otherwise directly',
  parts: { params: IdParams, body: TableValuesQuery, result: Type.Union([closed({ TableValues }), TableValues]) },
});

export const countTableViewRows = post('/api/tableviews/count/:id', {
  access: needsOn('sk.ViewTable'),
  summary: 'Count the rows of a view; returns no count if that takes more than two seconds',
  parts: {
    params: IdParams,
    body: FilterCriteria,
    result: closed({
      Count: nullable(Type.Integer()),
      /**
       * Estimated number of all rows, from the statistics of the database. Null if there is a count or a filter, or if
       * no statistics exist.
       */
      Estimate: nullable(Type.Integer()),
    }),
  },
});

export const exportTableView = post('/api/tableviews/export/:id/:format', {
  access: needsOn('sk.ViewTable'),
  summary: 'Export all rows of a view; returns a file token',
  parts: {
    params: closed({ id: Id, format: Type.Enum(['csv', 'xlsx']) }),
    body: FilterCriteria,
    result: Type.String(),
  },
});

export const OWN_VIEW_NAME_MAX = 60;
/** Maximum number of own views per user and view. */
export const MAX_OWN_VIEWS = 50;
/** Maximum number of characters of a choice as JSON. */
export const VIEW_CHOICE_MAX = 100_000;

const OwnViewName = Type.String({ maxLength: 1000, description: `${OWN_VIEW_NAME_MAX} characters at most` });

/** Filters, condition, order and columns of a view that a user saved under a name. Only this user sees it. */
export const OwnView = closed({ Id, Name: Type.String(), Choice: ViewChoice });
export type OwnView = Static<typeof OwnView>;

export const listOwnViews = get('/api/tableviews/own/:id', {
  access: needsOn('sk.ViewTable'),
  summary: 'List the user’s own saved variants of a view, by name',
  parts: { params: IdParams, result: closed({ Items: Type.Array(OwnView) }) },
});

export const saveOwnView = post('/api/tableviews/own/save/:id', {
  access: needsOn('sk.ViewTable'),
  summary: 'Save filters, condition, order and columns of a view for the user',
  parts: {
    params: IdParams,
    body: closed({
      /** Null creates a new one; otherwise the own view whose name and choice are replaced. */
      OwnViewId: nullable(Id),
      Name: OwnViewName,
      Choice: ViewChoice,
    }),
    result: closed({ Id }),
  },
});

export const renameOwnView = post('/api/tableviews/own/rename/:id', {
  access: needsOn('sk.ViewTable'),
  summary: 'Rename one of the user’s own saved variants',
  parts: { params: IdParams, body: closed({ Name: OwnViewName }), result: closed({ Id }) },
});

export const deleteOwnView = post('/api/tableviews/own/delete/:id', {
  access: needsOn('sk.ViewTable'),
  summary: 'Delete one of the user’s own saved variants; the view does not change',
  parts: { params: IdParams, result: closed({ Id }) },
});
