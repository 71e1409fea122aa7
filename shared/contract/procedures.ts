/** Stored procedures as activities. Source: specification of activities, sections 2, 3, 5 and 7. */
import { Type, type Static } from 'typebox';
import { ActivityCreation } from './activities.ts';
import { closed, get, Id, IdParams, INTEGER_MAX, needsOn, nullable, post } from './endpoint.ts';
import { CellUsage, RangeType } from './parameters.ts';
import { ProcedureName, ProcedureSettings } from './procedure-settings.ts';

export const ProcedureItem = closed({
  ProcedureName,
  ConnectionName: Type.String(),
  Kind: Type.Enum(['Procedure', 'Function']),
  /** Why it cannot become an activity, as far as its parameters tell; empty where it can. */
  Refusals: Type.Array(Type.String()),
});
export type ProcedureItem = Static<typeof ProcedureItem>;

export const listProcedures = get('/api/activities/procedures', {
  access: needsOn('sk.UseConnection'),
  summary: 'Stored procedures that the person may make activities of',
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
  /** As the database writes it: 'decimal(18,4)'. */
  DataType: Type.String(),
  CellUsage,
});
export type ProcedureColumn = Static<typeof ProcedureColumn>;

export const ProcedureParameter = closed({
  /** As the database spells it, without SQL Server's '@': 'Amount', 'amount'; '$1' for one without a name. */
  Name: Type.String(),
  DataType: Type.String(),
  Direction: Type.Enum(['In', 'Out', 'InOut']),
  RangeType,
  CellUsage,
  /** Null where the database does not tell: each may then be marked as one that may be left out. */
  HasDefault: nullable(Type.Boolean()),
  /** As written in the procedure; null where there is none or it is not known. */
  DefaultText: nullable(Type.String()),
  /** The values of an enum type. */
  Items: nullable(Type.Array(Type.String())),
  /** Of a table type or a list of rows; empty for a single value. */
  Columns: Type.Array(ProcedureColumn),
});
export type ProcedureParameter = Static<typeof ProcedureParameter>;

export const ProcedureResult = closed({ Columns: Type.Array(ProcedureColumn) });
export type ProcedureResult = Static<typeof ProcedureResult>;

/** What the database says of a procedure, and what an activity of it begins with. */
export const ProcedureDescription = closed({
  ProcedureName,
  ConnectionName: Type.String(),
  Kind: Type.Enum(['Procedure', 'Function']),
  Parameters: Type.Array(ProcedureParameter),
  /** Its result sets as far as the database tells; null for one whose columns only a trial run or its author can tell. */
  Results: Type.Array(nullable(ProcedureResult)),
  /** Whether there are no others. */
  ResultsAreAll: Type.Boolean(),
  HasReturnCode: Type.Boolean(),
  /** Why it cannot become an activity, each with the parameter by its name; empty where it can. */
  Refusals: Type.Array(Type.String()),
  Settings: ProcedureSettings,
});
export type ProcedureDescription = Static<typeof ProcedureDescription>;

export const describeProcedure = post('/api/activities/procedures/describe', {
  access: needsOn('sk.UseConnection'),
  summary: 'Parameters and results of a stored procedure',
  parts: { body: closed({ ProcedureName }), result: ProcedureDescription },
});

export const createStoredProcedureActivity = post('/api/activities/createStoredProcedureActivity', {
  access: needsOn('sk.CreateActivity'),
  summary: 'A new activity that runs a stored procedure',
  parts: { body: ActivityCreation, result: closed({ Id, Version: Type.Integer() }) },
});

/** How the procedure of an activity stands to what its newest version was made of. */
export const ProcedureState = closed({
  ProcedureName,
  Version: Type.Integer({ minimum: 1 }),
  /** As it is now; null where it is not there any more, or cannot be looked at: Message says why. */
  Description: nullable(ProcedureDescription),
  /** What changed since the version was made, as sentences; empty where nothing did. */
  Changes: Type.Array(Type.String()),
  /** Whether runs are refused until the activity is updated: what its calls give or take is another. */
  RunsRefused: Type.Boolean(),
  Message: Type.String(),
});
export type ProcedureState = Static<typeof ProcedureState>;

export const procedureState = get('/api/activities/procedures/state/:id', {
  access: needsOn('sk.EditActivity'),
  summary: 'Whether the procedure of an activity has changed since its newest version, and how',
  parts: { params: IdParams, result: ProcedureState },
});

export const updateProcedure = post('/api/activities/procedures/update', {
  access: needsOn('sk.EditActivity'),
  summary: 'A new version of an activity with its procedure as it is now',
  parts: {
    body: closed({
      Id,
      /** The one that was edited: where it is no longer the current one, nothing is saved. Without it the last to save wins. */
      Revision: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: INTEGER_MAX }))),
      ChangeDescription: Type.Optional(Type.String({ maxLength: 1000 })),
      /** Those of the newest version where absent; what they say of parameters that are gone is left out. */
      Procedure: Type.Optional(nullable(ProcedureSettings)),
    }),
    result: closed({ Id, Version: Type.Integer() }),
  },
});

export const TRIAL_WARNING =
  'The procedure is really carried out, and what it changes is taken back afterwards. What a database cannot take back stays: numbers it draws, ' +
  'mails it sends, what it does on other servers. Go on?';

/** A value for a trial run. */
export const TrialValue = closed({
  /** Of the parameter. */
  Name: Type.String({ minLength: 1, maxLength: 128 }),
  /** JSON text as the value of an input: of a single value, or of rows. Null is NULL. */
  Value: nullable(Type.String({ maxLength: 1_000_000 })),
  LeftOut: Type.Boolean(),
});

export const TrialRun = closed({
  /** The result sets, in their order, as the settings of an activity declare them. */
  Results: Type.Array(closed({ Columns: Type.Array(ProcedureColumn), Rows: Type.Integer({ minimum: 0 }) })),
  ReturnCode: nullable(Type.Integer()),
  /** What the procedure said, at most the first hundred lines. */
  Messages: Type.Array(Type.String()),
});
export type TrialRun = Static<typeof TrialRun>;

export const tryProcedure = post('/api/activities/procedures/trial', {
  access: needsOn('sk.UseConnection'),
  summary: 'Calls a procedure and takes back what it did, to learn its result sets',
  parts: {
    body: closed({
      ProcedureName,
      Values: Type.Array(TrialValue, { maxItems: 2100 }),
      /** Whether the warning was confirmed; without it nothing is called, and the answer is the warning. */
      Confirmed: Type.Boolean(),
    }),
    result: TrialRun,
  },
});
