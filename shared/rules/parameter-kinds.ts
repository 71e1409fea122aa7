/** The words for kinds of inputs and outputs. Source: specification of activities, section 3. Apart from the contract, as the threads that calculate need no schemas. */
export const RANGE_TYPES = [
  'SingleCell',
  'SingleRowOfSimilarValues',
  'SingleColumnOfSimilarValues',
  'RangeWithColumnHeaders',
  'RangeWithRowHeaders',
  'MatrixWithHeaders',
  'MatrixWithoutHeaders',
] as const;

export const CELL_USAGES = [
  'Date',
  'Boolean',
  'Number',
  'Text',
  'FilePath',
  'Condition',
  'Html',
  'FolderPath',
  'ConnectionString',
  'ActivityRunId',
  'StaticFolder',
  'FileId',
] as const;

export const SPECIFICATIONS = ['OldStyle', 'Required', 'Optional', 'Suggested', 'Display', 'Hidden'] as const;

export const PICKER_TYPES = ['None', 'List', 'Database', 'Condition'] as const;

export const DISPLAY_MODES = ['Default', 'CheckBoxList'] as const;

export const MARK_ROLES = ['Input', 'Output'] as const;

/** What the Portal sheet can say of an output beside its name and cells: its columns. */
export const OUTPUT_OPTIONS = [
  'RangeType',
  'Headers',
  'CellUsages',
  'Description',
  'CalculateImmediately',
  'Order',
] as const;

/** The same of an input. */
export const INPUT_OPTIONS = [
  'RangeType',
  'Headers',
  'CellUsages',
  'Specification',
  'Blanks',
  'Picker',
  'PickerSource',
  'MaxSize',
  'AllowDefaultValue',
  'Display',
  'Description',
  'SampleFile',
  'Section',
  'HasAccess',
  'Order',
] as const;

export const MARK_OPTIONS = [...INPUT_OPTIONS, 'CalculateImmediately'] as const;

/**
 * Where the names of a table's columns come from: its first row, the row above it (its first row is data then), the letters of its
 * columns (as well), or an Excel table.
 */
export const HEADER_SOURCES = ['inside', 'above', 'letters', 'table'] as const;
export type HeaderSource = (typeof HEADER_SOURCES)[number];
