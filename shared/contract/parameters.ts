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

/** What a picker offers, without its items: those come from the picker call. */
export const Picker = closed({
  Type: Type.Enum(PICKER_TYPES),
  /** True where a value outside the list is refused. */
  PreventOtherValues: Type.Boolean(),
  /** True where formulas or other inputs decide what a List offers: updateui tells its items. */
  Calculated: Type.Optional(Type.Boolean()),
  /** True where each row of a table is offered a calculated list of its own. */
  PerRow: Type.Optional(Type.Boolean()),
  /** The columns that a Condition may name. */
  Columns: Type.Optional(Type.Array(closed({ Name: Type.String(), Kind: Type.Enum(COLUMN_KINDS) }))),
  /** Names of the inputs that the query of a Database picker asks for: their values go with each call. */
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
/** What a value that breaks a rule leads to: Stop refuses it, the others only tell. */
export const RULE_ALERTS = ['Stop', 'Warning', 'Information'] as const;

/** What a data validation of the workbook asks of values. */
export const ValueRule = closed({
  /** The cells it holds for, from 0 at the first data cell, as they lie in the sheet; Bottom is null where rows that are added count too. */
  Top: Type.Integer({ minimum: 0 }),
  Left: Type.Integer({ minimum: 0 }),
  Bottom: nullable(Type.Integer({ minimum: 0 })),
  Right: Type.Integer({ minimum: 0 }),
  Type: Type.Enum(RULE_TYPES),
  Operator: Type.Enum(RULE_OPERATORS),
  /** One, or two of between and notBetween; empty where Calculated. */
  Bounds: Type.Array(Type.Number()),
  /** True where cells or formulas decide: the server knows. */
  Calculated: Type.Optional(Type.Boolean()),
  Alert: Type.Enum(RULE_ALERTS),
  /** The alert's own title and text; '' where the workbook has none. */
  Title: Type.String(),
  Text: Type.String(),
});
export type ValueRule = Static<typeof ValueRule>;

/** How numbers and dates are written where the workbook comes from; a field of ours beside the specification's. */
export const TextRegion = closed({
  /** 'de-DE' */
  Id: Type.String(),
  Decimal: Type.String(),
  /** Between thousands. */
  Group: Type.String(),
  DayOrder: Type.Enum(DAY_ORDERS),
});

/**
 * The shape and rules of an input. Lists with one element per column (CellUsages, Specifications, Blanks, Pickers, MaxSize,
 * Formats) have exactly one element where all cells are alike (SingleCell, …OfSimilarValues, matrices).
 */
export const InputInfo = closed({
  RangeType,
  CellUsages: Type.Array(CellUsage),
  Specifications: Type.Array(Specification),
  /** True where a blank is accepted. */
  Blanks: Type.Array(Type.Boolean()),
  Pickers: Type.Array(Picker),
  /** Characters of a text, bytes of a file; null where nothing is said. */
  MaxSize: Type.Array(nullable(Type.Integer({ minimum: 1 }))),
  AllowDefaultValue: Type.Boolean(),
  /** What data validations ask beside Blanks, MaxSize and lists; of several for one cell the last counts. Absent where there are none. */
  Rules: Type.Optional(Type.Array(ValueRule)),
  /** Numbers of more than 15 digits are texts, with all their digits. Absent where cells hold doubles, as those of workbooks do. */
  ExactNumbers: Type.Optional(Type.Boolean()),
  /** By column: true where formulas give the values until a person does. Absent where none do. */
  Calculated: Type.Optional(Type.Array(Type.Boolean())),
  HeaderRows: Type.Integer({ minimum: 0 }),
  HeaderCols: Type.Integer({ minimum: 0 }),
  /** Data rows and columns, headers not counted. */
  Height: Type.Integer({ minimum: 1 }),
  Width: Type.Integer({ minimum: 1 }),
  RowsVariable: Type.Boolean(),
  /** Of a workbook's table whose rows vary: the most that fit above what stands below it, or on its sheet. */
  MaxRows: Type.Optional(Type.Integer({ minimum: 1 })),
  /** What is in the way of more rows, in words: "cell D5 of sheet 'Deals'". */
  RowsEnd: Type.Optional(Type.String()),
  ColsVariable: Type.Boolean(),
  Display: Type.Enum(DISPLAY_MODES),
  ColumnHeaderValues: Type.Array(Type.String()),
  RowHeaderValues: Type.Array(Type.String()),
  SqlNames: Type.Array(Type.String()),
  SampleFilePath: nullable(Type.String()),
  /** The heading under which the form shows the input. Absent where the workbook has none. */
  Section: Type.Optional(Type.String()),
  /** Excel's number format per column, for showing values ('dd/mm/yyyy', '#,##0.00'). */
  Formats: Type.Array(Type.String()),
  /** How typed and pasted texts are read. Absent where the workbook does not tell, or comes from the United States. */
  Region: Type.Optional(TextRegion),
  /** Encoded like an input value (JSON text); null where the workbook has no default. */
  DefaultValue: nullable(Type.String()),
});
export type InputInfo = Static<typeof InputInfo>;

export const Input = closed({
  Id,
  ActivityId: Id,
  Name: Type.String(),
  Description: Type.String(),
  /** False: read-only for this person. */
  HasAccess: Type.Boolean(),
  /** JSON text; null where no value is preset. */
  PresetValue: nullable(Type.String()),
  PresetValueError: nullable(Type.String()),
  /** Only where a link fills it: by cell usage, true where nobody may change what the run gave. */
  ReadOnly: Type.Optional(Type.Array(Type.Boolean())),
  Info: InputInfo,
});
export type Input = Static<typeof Input>;

export const OutputInfo = closed({
  RangeType,
  CellUsages: Type.Array(CellUsage),
  CalculateImmediately: Type.Boolean(),
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
   * JSON text: a scalar for SingleCell, a list for one row or column, a list of rows for tables and matrices (headers not
   * included). An Excel error is {"error": "#N/A"}. Null before a run has ended, and for values that are files.
   */
  Value: nullable(Type.String()),
});
export type Output = Static<typeof Output>;

/**
 * A value of an input as it is sent with a start. A table or a single cell is one entry; a file input one entry per file
 * (ArrayIndex from 0), and one entry with Value '[]' where a file column has no file.
 */
/** What else the specification gives a run's input value, and what its client alone knows. */
export const UNUSED_RUN_INPUT_FIELDS = [
  'ActivityRunId',
  'ChecklistInputName',
  'Compression',
  'ContentLength',
  'HasPresetValue',
  'Name',
  'ParameterInfo',
  'files',
  'message',
  'suggestedValue',
  'userChanged',
];

export const RunInputValue = closedBut(UNUSED_RUN_INPUT_FIELDS, {
  ActivityParameterId: Id,
  Value: Type.Optional(nullable(Type.String())),
  UseDefault: Type.Optional(Type.Boolean()),
  ArrayIndex: Type.Optional(Type.Integer({ minimum: 0 })),
  FileId: Type.Optional(nullable(Type.String())),
  FileName: Type.Optional(nullable(Type.String())),
});
export type RunInputValue = Static<typeof RunInputValue>;

/** The value of an input as a run keeps it. */
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
});
export type RunInput = Static<typeof RunInput>;
