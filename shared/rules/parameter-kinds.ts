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
