/** Inputs and outputs of an activity. Source: specification of activities, section 3. */
import { Type, type Static } from 'typebox';
import { DAY_ORDERS } from '../codecs/text-region.ts';
import { COLUMN_KINDS } from '../codecs/condition-columns.ts';
import { CELL_USAGES, DISPLAY_MODES, PICKER_TYPES, RANGE_TYPES, SPECIFICATIONS } from '../rules/parameter-kinds.ts';
import { closed, closedBut, Id, nullable, RunId } from './endpoint.ts';

export const RangeType = Type.Enum(RANGE_TYPES);
export type RangeType = (typeof RANGE_TYPES)[number];

export const CellUsage = Type.Enum(CELL_USAGES);
export type CellUsage = (typeof CELL_USAGES)[number];

export const Specification = Type.Enum(SPECIFICATIONS);
export type Specification = (typeof SPECIFICATIONS)[number];

/** Definition of a picker, without its items: the picker call returns those. */
export const Picker = closed({
  Type: Type.Enum(PICKER_TYPES),
  /** True if a value outside the list is refused. */
  PreventOtherValues: Type.Boolean(),
  /** True if formulas or other inputs determine the items of a List: updateui returns them. */
  Calculated: Type.Optional(Type.Boolean()),
  /** True if each row of a table has its own calculated list. */
  PerRow: Type.Optional(Type.Boolean()),
  /** The columns that a Condition may refer to. */
  Columns: Type.Optional(Type.Array(closed({ Name: Type.String(), Kind: Type.Enum(COLUMN_KINDS) }))),
  /** Names of the inputs that the query of a Database picker refers to. Each call must pass their values. */
  OtherInputs: Type.Optional(Type.Array(Type.String())),
});
export type Picker = Static<typeof Picker>;

export const RULE_TYPES = ['whole', 'decimal', 'date', 'time', 'textLength', 'custom', 'list'] as const;
export const RULE_OPERATORS = [
  'between',
  'notBetween',
  'equal',
  'notEqual',
  'greaterThan',
  'lessThan',
  'greaterThanOrEqual',
  'lessThanOrEqual',
] as const;
/** Effect of a value that violates a rule: Stop refuses it, the others only show a message. */
export const RULE_ALERTS = ['Stop', 'Warning', 'Information'] as const;

/** A data validation of the workbook. */
export const ValueRule = closed({
  /**
   * The cells it applies to, from 0 at the first data cell, in sheet orientation. Bottom is null if it also applies to
   * added rows.
   */
  Top: Type.Integer({ minimum: 0 }),
  Left: Type.Integer({ minimum: 0 }),
  Bottom: nullable(Type.Integer({ minimum: 0 })),
  Right: Type.Integer({ minimum: 0 }),
  Type: Type.Enum(RULE_TYPES),
  Operator: Type.Enum(RULE_OPERATORS),
  /** One bound, or two for between and notBetween; empty if Calculated. */
  Bounds: Type.Array(Type.Number()),
  /** True if cells or formulas determine the bounds: then only the server knows them. */
  Calculated: Type.Optional(Type.Boolean()),
  Alert: Type.Enum(RULE_ALERTS),
  /** Title and text of the validation's own alert; '' if the workbook defines none. */
  Title: Type.String(),
  Text: Type.String(),
});
export type ValueRule = Static<typeof ValueRule>;

/** Number and date notation of the workbook's region. Our own addition to the specification's fields. */
export const TextRegion = closed({
  /** Such as 'de-DE'. */
  Id: Type.String(),
  Decimal: Type.String(),
  /** Thousands separator. */
  Group: Type.String(),
  DayOrder: Type.Enum(DAY_ORDERS),
});

/**
 * The shape and rules of an input. Lists with one element per column (CellUsages, Specifications, Blanks, Pickers,
 * MaxSize, Formats) have exactly one element if all cells are alike (SingleCell, …OfSimilarValues, matrices).
 */
export const InputInfo = closed({
  RangeType,
  CellUsages: Type.Array(CellUsage),
  Specifications: Type.Array(Specification),
  /** True if a blank is accepted. */
  Blanks: Type.Array(Type.Boolean()),
  Pickers: Type.Array(Picker),
  /** Maximum number of characters of a text, or of bytes of a file; null if unspecified. */
  MaxSize: Type.Array(nullable(Type.Integer({ minimum: 1 }))),
  AllowDefaultValue: Type.Boolean(),
  /**
   * Data validations other than Blanks, MaxSize and lists. If several apply to one cell, the last takes effect. Absent
   * if there are none.
   */
  Rules: Type.Optional(Type.Array(ValueRule)),
  /**
   * True if numbers with more than 15 digits are transferred as texts, with all their digits. Absent if cells hold
   * doubles, as cells of workbooks do.
   */
  ExactNumbers: Type.Optional(Type.Boolean()),
  /**
   * One element per column: true if formulas supply the values until the user enters some. Absent if no column has such
   * formulas.
   */
  Calculated: Type.Optional(Type.Array(Type.Boolean())),
  HeaderRows: Type.Integer({ minimum: 0 }),
  HeaderCols: Type.Integer({ minimum: 0 }),
  /** Number of data rows and columns, without headers. */
  Height: Type.Integer({ minimum: 1 }),
  Width: Type.Integer({ minimum: 1 }),
  RowsVariable: Type.Boolean(),
  /**
   * For a workbook table with a variable number of rows: maximum number of rows that fit above the content below it, or
   * on its sheet.
   */
  MaxRows: Type.Optional(Type.Integer({ minimum: 1 })),
  /** What blocks further rows, as text for users: "cell D5 of sheet 'Deals'". */
  RowsEnd: Type.Optional(Type.String()),
  ColsVariable: Type.Boolean(),
  Display: Type.Enum(DISPLAY_MODES),
  ColumnHeaderValues: Type.Array(Type.String()),
  RowHeaderValues: Type.Array(Type.String()),
  SqlNames: Type.Array(Type.String()),
  SampleFilePath: nullable(Type.String()),
  /** Heading under which the form shows the input. Absent if the workbook has none. */
  Section: Type.Optional(Type.String()),
  /** Excel's number format per column, for display ('dd/mm/yyyy', '#,##0.00'). */
  Formats: Type.Array(Type.String()),
  /**
   * How typed and pasted texts are parsed. Absent if the workbook does not specify a region, or if it is the United
   * States.
   */
  Region: Type.Optional(TextRegion),
  /** Encoded like an input value (JSON text); null if the workbook has no default. */
  DefaultValue: nullable(Type.String()),
});
export type InputInfo = Static<typeof InputInfo>;

export const Input = closed({
  Id,
  ActivityId: Id,
  Name: Type.String(),
  Description: Type.String(),
  /** False if the input is read-only for this user. */
  HasAccess: Type.Boolean(),
  /** JSON text; null if no value is preset. */
  PresetValue: nullable(Type.String()),
  PresetValueError: nullable(Type.String()),
  /**
   * Only if a link fills the input. One element per cell usage: true if the value taken from the run must not be
   * changed.
   */
  ReadOnly: Type.Optional(Type.Array(Type.Boolean())),
  /** Only if a workflow has a default for the input, which applies instead of the workbook's own value: its kind. */
  WorkflowDefault: Type.Optional(Type.Enum(['Constant', 'Expression'] as const)),
  Info: InputInfo,
});
export type Input = Static<typeof Input>;

export const OutputInfo = closed({
  RangeType,
  CellUsages: Type.Array(CellUsage),
  CalculateImmediately: Type.Boolean(),
  /** True if a run shows a plot of the table, unless the user hides it. Otherwise absent. */
  Plot: Type.Optional(Type.Boolean()),
  SqlNames: Type.Array(Type.String()),
  HeaderRows: Type.Integer({ minimum: 0 }),
  HeaderCols: Type.Integer({ minimum: 0 }),
  RowsVariable: Type.Boolean(),
  ColumnHeaderValues: Type.Array(Type.String()),
  RowHeaderValues: Type.Array(Type.String()),
  Formats: Type.Array(Type.String()),
});
export type OutputInfo = Static<typeof OutputInfo>;

export const Output = closed({
  Id,
  ActivityId: Id,
  Name: Type.String(),
  Description: Type.String(),
  Info: OutputInfo,
  /**
   * JSON text: a scalar for SingleCell, a list for one row or column, a list of rows for tables and matrices (without
   * headers). An Excel error is {"error": "#N/A"}. Null before a run has ended, and for values that are files.
   */
  Value: nullable(Type.String()),
});
export type Output = Static<typeof Output>;

/**
 * Further fields that the specification defines for a run's input value, and fields that only its client uses.
 * RunInputValue ignores them.
 */
export const UNUSED_RUN_INPUT_FIELDS = [
  'ActivityRunId',
  'ChecklistInputName',
  'Compression',
  'ContentLength',
  'Formula',
  'HasPresetValue',
  'Name',
  'ParameterInfo',
  'files',
  'message',
  'suggestedValue',
  'userChanged',
];

/**
 * A value of an input as sent with a start. A table or a single cell is one entry. A file input has one entry per file
 * (ArrayIndex from 0), and one entry with Value '[]' if a file column contains no file.
 */
export const RunInputValue = closedBut(UNUSED_RUN_INPUT_FIELDS, {
  ActivityParameterId: Id,
  Value: Type.Optional(nullable(Type.String())),
  UseDefault: Type.Optional(Type.Boolean()),
  ArrayIndex: Type.Optional(Type.Integer({ minimum: 0 })),
  FileId: Type.Optional(nullable(Type.String())),
  FileName: Type.Optional(nullable(Type.String())),
});
export type RunInputValue = Static<typeof RunInputValue>;

/** The value of an input as stored with a run. */
export const RunInput = closed({
  ActivityParameterId: Id,
  ActivityRunId: RunId,
  Name: Type.String(),
  Value: nullable(Type.String()),
  UseDefault: Type.Boolean(),
  HasPresetValue: Type.Boolean(),
  ArrayIndex: Type.Integer(),
  FileId: nullable(Type.String()),
  FileName: nullable(Type.String()),
  ContentLength: nullable(Type.Integer()),
  ParameterInfo: InputInfo,
  /** The formula of a workflow that calculated the value; absent if none did. */
  Formula: Type.Optional(Type.String()),
});
export type RunInput = Static<typeof RunInput>;
