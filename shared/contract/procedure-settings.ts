/**
 * Settings that the author of a procedure activity chooses in addition to what the database reports. Stored with each
 * version.
 */
import { Type, type Static } from 'typebox';
import { COLUMN_KINDS } from '../codecs/condition-columns.ts';
import { closed, nullable } from './endpoint.ts';
import { PICKER_TYPES } from '../rules/parameter-kinds.ts';

export const PROCEDURE_NAME_MAX = 4000;

/** 'connection: schema.procedure'; on PostgreSQL with the argument types: 'sales: public.add_order(integer, text)'. */
export const ProcedureName = Type.String({ minLength: 1, maxLength: PROCEDURE_NAME_MAX });

/** A picker of a parameter. Besides Type and PreventOtherValues, it has only the fields that its Type needs. */
export const ParameterPicker = closed({
  Type: Type.Enum(PICKER_TYPES),
  PreventOtherValues: Type.Boolean(),
  /** For Type List. */
  Items: Type.Optional(Type.Array(Type.String({ maxLength: 4000 }), { maxItems: 10_000 })),
  /** For Type Database. The query may refer to other inputs as @Name, with _ in place of spaces. */
  ConnectionName: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  Query: Type.Optional(Type.String({ minLength: 1, maxLength: 20_000 })),
  /** For Type Condition: the columns that it may refer to. */
  Columns: Type.Optional(
    Type.Array(closed({ Name: Type.String({ minLength: 1, maxLength: 255 }), Kind: Type.Enum(COLUMN_KINDS) }), {
      minItems: 1,
      maxItems: 1000,
    }),
  ),
});
export type ParameterPicker = Static<typeof ParameterPicker>;

export const ParameterSettings = closed({
  /** Spelled as in the database. */
  Name: Type.String({ minLength: 1, maxLength: 128 }),
  /** Name of its input and output; derived from Name if ''. */
  DisplayName: Type.String({ maxLength: 255 }),
  Description: Type.String({ maxLength: 1000 }),
  /** For an input: true to use its preset value or default without asking for a value. */
  Hidden: Type.Boolean(),
  /** For an input: true if a value must be entered; otherwise a blank is passed as NULL. */
  Required: Type.Boolean(),
  /**
   * For an input: if no value is supplied explicitly, the call omits the parameter and the procedure's own default
   * applies.
   */
  MayBeLeftOut: Type.Boolean(),
  /**
   * For an input whose type holds more than 15 digits: true to treat it as a Number anyway; values with more digits are
   * then refused.
   */
  AsNumber: Type.Boolean(),
  /** One picker per column, or one for a single value; empty for no pickers. */
  Pickers: Type.Array(ParameterPicker, { maxItems: 1024 }),
});
export type ParameterSettings = Static<typeof ParameterSettings>;

/**
 * Maximum rows and characters that an output holds for a result set. A larger result set is written to a file, and the
 * log says so.
 */
export const RESULT_ROWS = 10_000;
export const RESULT_CHARACTERS = 4_000_000;

export const ResultSettings = closed({
  /** If '', 'Result1' for the first result set, and so on. */
  DisplayName: Type.String({ maxLength: 255 }),
  Columns: Type.Array(
    closed({ Name: Type.String({ maxLength: 255 }), CellUsage: Type.Enum(['Number', 'Text', 'Date', 'Boolean']) }),
    { minItems: 1, maxItems: 4096 },
  ),
});
export type ResultSettings = Static<typeof ResultSettings>;

export const ProcedureSettings = closed({
  /**
   * Determines the order of inputs and outputs. Parameters that are not listed follow in the order of the procedure.
   */
  Parameters: Type.Array(ParameterSettings, { maxItems: 2100 }),
  /** Result sets in order, learned from a trial run or declared by hand. Null to use what the database reports. */
  Results: nullable(Type.Array(ResultSettings, { maxItems: 50 })),
  /** True if a return code other than 0 fails the run; otherwise it is a warning. */
  ReturnCodeFails: Type.Boolean(),
  /** True to call the procedure without a surrounding transaction, because it commits or rolls back on its own. */
  CommitsByItself: Type.Boolean(),
  /** Format of the file for a result set that exceeds the limits of an output. */
  LargeResultFormat: Type.Enum(['xlsx', 'csv']),
});
export type ProcedureSettings = Static<typeof ProcedureSettings>;
