/** Inputs of a workflow that no activity takes: the workflow itself declares their type. */
import { isSameInputName as isSameName } from '#shared/rules/checklist-rules.ts';
import type { ColumnKind } from '#shared/codecs/condition-columns.ts';
import type { InputInfo } from '#shared/contract/parameters.ts';
import type { WorkflowGraph } from './types.ts';

/** Returns the shape and rules of an input of a declared type; null if its type is not declared. */
export function declaredInfo({ Inputs }: WorkflowGraph, name: string): InputInfo | null {
  const type = Inputs.find(({ Name }) => isSameName(Name, name))?.Type;
  return type ? infoOf(type) : null;
}

const infoOf = (type: ColumnKind): InputInfo => ({
  RangeType: 'SingleCell',
  CellUsages: [type],
  Specifications: ['Required'],
  Blanks: [false],
  Pickers: [{ Type: 'None', PreventOtherValues: false }],
  MaxSize: [null],
  AllowDefaultValue: false,
  HeaderRows: 0,
  HeaderCols: 0,
  Height: 1,
  Width: 1,
  RowsVariable: false,
  ColsVariable: false,
  Display: 'Default',
  ColumnHeaderValues: [],
  RowHeaderValues: [],
  SqlNames: [],
  SampleFilePath: null,
  Formats: [type === 'Date' ? 'yyyy-mm-dd' : ''],
  DefaultValue: null,
});
