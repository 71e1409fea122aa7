/**
 * Enumerations for inputs and outputs. Source: specification of activities, section 3. Separate from the contract,
 * because the calculation threads need no schemas.
 */
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

/** Columns of the Portal sheet for an output, besides its name and cells. */
export const OUTPUT_OPTIONS = [
  'RangeType',
  'Headers',
  'CellUsages',
  'Description',
  'CalculateImmediately',
  'Plot',
  'Order',
] as const;

/** Columns of the Portal sheet for an input, besides its name and cells. */
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

export const MARK_OPTIONS = [...INPUT_OPTIONS, 'CalculateImmediately', 'Plot'] as const;

/**
 * Source of a table's column names: its first row, the row above it or the letters of its columns (in both cases, its
 * first row is data), or an Excel table.
 */
export const HEADER_SOURCES = ['inside', 'above', 'letters', 'table'] as const;
export type HeaderSource = (typeof HEADER_SOURCES)[number];
