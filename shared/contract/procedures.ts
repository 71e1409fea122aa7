/** Stored procedures as activities. Source: specification of activities, sections 2, 3, 5 and 7. */
import { Type, type Static } from 'typebox';
import { ActivityCreation } from './activities.ts';
import { closed, EditedRevision, get, Id, IdParams, needsOn, nullable, post } from './endpoint.ts';
import { CellUsage, RangeType } from './parameters.ts';
import { ProcedureName, ProcedureSettings } from './procedure-settings.ts';

export const ProcedureItem = closed({
  ProcedureName,
  ConnectionName: Type.String(),
  Kind: Type.Enum(['Procedure', 'Function']),
  /** Why it cannot become an activity, judging by its parameters; empty if it can. */
  Refusals: Type.Array(Type.String()),
});
export type ProcedureItem = Static<typeof ProcedureItem>;

export const listProcedures = get('/api/activities/procedures', {
  access: needsOn('sk.UseConnection'),
  summary: 'List the stored procedures from which the user may create activities',
  parts: {
    result: closed({
      Items: Type.Array(ProcedureItem),
      /** Why procedures of some connections are missing. */
      Messages: Type.Array(Type.String()),
    }),
  },
});

export const ProcedureColumn = closed({
  Name: Type.String(),
  /** In the database's notation: 'decimal(18,4)'. */
  DataType: Type.String(),
  CellUsage,
});
export type ProcedureColumn = Static<typeof ProcedureColumn>;

export const ProcedureParameter = closed({
  /** Spelled as in the database, without SQL Server's '@': 'Amount', 'amount'; '$1' for a parameter without a name. */
  Name: Type.String(),
  DataType: Type.String(),
  Direction: Type.Enum(['In', 'Out', 'InOut']),
  RangeType,
  CellUsage,
  /** Null if the database does not report defaults: any parameter may then be marked as one that may be omitted. */
  HasDefault: nullable(Type.Boolean()),
  /** As written in the procedure; null if there is none or if it is unknown. */
  DefaultText: nullable(Type.String()),
  /** The values of an enum type. */
  Items: nullable(Type.Array(Type.String())),
  /** Columns of a table type or a list of rows; empty for a single value. */
  Columns: Type.Array(ProcedureColumn),
});
export type ProcedureParameter = Static<typeof ProcedureParameter>;

export const ProcedureResult = closed({ Columns: Type.Array(ProcedureColumn) });
export type ProcedureResult = Static<typeof ProcedureResult>;

/** What the database reports about a procedure, with the initial settings for an activity. */
export const ProcedureDescription = closed({
  ProcedureName,
  ConnectionName: Type.String(),
  Kind: Type.Enum(['Procedure', 'Function']),
  Parameters: Type.Array(ProcedureParameter),
  /**
   * Result sets that the database reports. Null for a result set whose columns only a trial run or the author can
   * supply.
   */
  Results: Type.Array(nullable(ProcedureResult)),
  /** True if there are no other result sets. */
  ResultsAreAll: Type.Boolean(),
  HasReturnCode: Type.Boolean(),
  /** Why it cannot become an activity, one reason per affected parameter, which it names; empty if it can. */
  Refusals: Type.Array(Type.String()),
  Settings: ProcedureSettings,
});
export type ProcedureDescription = Static<typeof ProcedureDescription>;

export const describeProcedure = post('/api/activities/procedures/describe', {
  access: needsOn('sk.UseConnection'),
  summary: 'Get the parameters and results of a stored procedure',
  parts: { body: closed({ ProcedureName }), result: ProcedureDescription },
});

export const createStoredProcedureActivity = post('/api/activities/createStoredProcedureActivity', {
  access: needsOn('sk.CreateActivity'),
  summary: 'Create an activity that runs a stored procedure',
  parts: { body: ActivityCreation, result: closed({ Id, Version: Type.Integer() }) },
});

/** Compares the current procedure with the one that the activity's newest version was created from. */
export const ProcedureState = closed({
  ProcedureName,
  Version: Type.Integer({ minimum: 1 }),
  /** Its current description. Null if it no longer exists or cannot be read; Message then says why. */
  Description: nullable(ProcedureDescription),
  /** Changes since the version was created, as sentences; empty if there are none. */
  Changes: Type.Array(Type.String()),
  /**
   * True if runs are refused until the activity is updated, because the parameters or results of the call have changed.
   */
  RunsRefused: Type.Boolean(),
  Message: Type.String(),
});
export type ProcedureState = Static<typeof ProcedureState>;

export const procedureState = get('/api/activities/procedures/state/:id', {
  access: needsOn('sk.EditActivity'),
  summary: 'Get the changes of an activity’s procedure since the newest version',
  parts: { params: IdParams, result: ProcedureState },
});

export const updateProcedure = post('/api/activities/procedures/update', {
  access: needsOn('sk.EditActivity'),
  summary: 'Publish the current state of an activity’s procedure as a new version',
  parts: {
    body: closed({
      Id,
      Revision: EditedRevision,
      ChangeDescription: Type.Optional(Type.String({ maxLength: 1000 })),
      /** If absent, the settings of the newest version. Settings of parameters that no longer exist are dropped. */
      Procedure: Type.Optional(nullable(ProcedureSettings)),
    }),
    result: closed({ Id, Version: Type.Integer() }),
  },
});

export const TRIAL_WARNING =
  'The procedure is executed, and its changes are rolled back afterwards. What a database cannot roll back remains: numbers that it takes from sequences, ' +
  'mails that it sends, and changes on other servers. Continue?';

/** A value for a trial run. */
export const TrialValue = closed({
  /** Name of the parameter. */
  Name: Type.String({ minLength: 1, maxLength: 128 }),
  /** JSON text like the value of an input: a single value, or rows. Null means NULL. */
  Value: nullable(Type.String({ maxLength: 1_000_000 })),
  LeftOut: Type.Boolean(),
});

export const TrialRun = closed({
  /** The result sets in order, in the form in which an activity's settings declare them. */
  Results: Type.Array(closed({ Columns: Type.Array(ProcedureColumn), Rows: Type.Integer({ minimum: 0 }) })),
  ReturnCode: nullable(Type.Integer()),
  /** Messages from the procedure; at most the first 100 lines. */
  Messages: Type.Array(Type.String()),
});
export type TrialRun = Static<typeof TrialRun>;

export const tryProcedure = post('/api/activities/procedures/trial', {
  access: needsOn('sk.UseConnection'),
  summary: 'Call a procedure and roll back, to determine its result sets',
  parts: {
    body: closed({
      ProcedureName,
      Values: Type.Array(TrialValue, { maxItems: 2100 }),
      /** True if the user confirmed the warning. Otherwise nothing is called, and the result is the warning. */
      Confirmed: Type.Boolean(),
    }),
    result: TrialRun,
  },
});
