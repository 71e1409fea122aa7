/** What the editor of a procedure activity decides beside what the database says. Kept with each version. */
import { Type, type Static } from 'typebox';
import { COLUMN_KINDS } from '../codecs/condition-columns.ts';
import { closed, nullable } from './endpoint.ts';
import { PICKER_TYPES } from '../rules/parameter-kinds.ts';

export const PROCEDURE_NAME_MAX = 4000;

/** 'connection: schema.procedure', on PostgreSQL with the types of its arguments: 'sales: public.add_order(integer, text)'. */
export const ProcedureName = Type.String({ minLength: 1, maxLength: PROCEDURE_NAME_MAX });

/** What is picked from; the fields beside Type and PreventOtherValues are those that its Type needs. */
export const ParameterPicker = closed({
  Type: Type.Enum(PICKER_TYPES),
  PreventOtherValues: Type.Boolean(),
  /** Of a List. */
  Items: Type.Optional(Type.Array(Type.String({ maxLength: 4000 }), { maxItems: 10_000 })),
  /** Of a Database. The query may name other inputs as @Name, with _ for spaces. */
  ConnectionName: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  Query: Type.Optional(Type.String({ minLength: 1, maxLength: 20_000 })),
  /** Of a Condition: the columns that it may name. */
  Columns: Type.Optional(
    Type.Array(closed({ Name: Type.String({ minLength: 1, maxLength: 255 }), Kind: Type.Enum(COLUMN_KINDS) }), {
      minItems: 1,
      maxItems: 1000,
    }),
  ),
});
export type ParameterPicker = Static<typeof ParameterPicker>;

export const ParameterSettings = closed({
  /** As the database spells it. */
  Name: Type.String({ minLength: 1, maxLength: 128 }),
  /** Of its input and its output; made of the name where ''. */
  DisplayName: Type.String({ maxLength: 255 }),
  Description: Type.String({ maxLength: 1000 }),
  /** Of an input: its preset value or its default is taken, and nobody is asked. */
  Hidden: Type.Boolean(),
  /** Of an input: a value must be given; otherwise a blank is NULL. */
  Required: Type.Boolean(),
  /** Of an input: where no value is specified explicitly the call leaves it out, and the procedure's own default counts. */
  MayBeLeftOut: Type.Boolean(),
  /** Of an input whose type holds more than 15 digits: taken as a Number all the same; a value of more digits is refused then. */
  AsNumber: Type.Boolean(),
  /** One for each column, or one for a single value; none where empty. */
  Pickers: Type.Array(ParameterPicker, { maxItems: 1024 }),
});
export type ParameterSettings = Static<typeof ParameterSettings>;

/** Rows and characters that an output of a result set holds; what is more goes into a file, and the log says so. */
export const RESULT_ROWS = 10_000;
export const RESULT_CHARACTERS = 4_000_000;

export const ResultSettings = closed({
  /** 'Result1' for the first where ''. */
  DisplayName: Type.String({ maxLength: 255 }),
  Columns: Type.Array(
    closed({ Name: Type.String({ maxLength: 255 }), CellUsage: Type.Enum(['Number', 'Text', 'Date', 'Boolean']) }),
    { minItems: 1, maxItems: 4096 },
  ),
});
export type ResultSettings = Static<typeof ResultSettings>;

export const ProcedureSettings = closed({
  /** Inputs and outputs stand in this order; parameters that are not named follow in the order of the procedure. */
  Parameters: Type.Array(ParameterSettings, { maxItems: 2100 }),
  /** Result sets in their order, as learnt by a trial run or written by hand; null for what the database itself says. */
  Results: nullable(Type.Array(ResultSettings, { maxItems: 50 })),
  /** A return code other than 0 fails the run; otherwise it is a warning. */
  ReturnCodeFails: Type.Boolean(),
  /** No transaction around the call: for procedures that commit or roll back themselves. */
  CommitsByItself: Type.Boolean(),
  /** Of the file into which a result set goes that has more rows than an output holds. */
  LargeResultFormat: Type.Enum(['xlsx', 'csv']),
});
export type ProcedureSettings = Static<typeof ProcedureSettings>;
