/** For tests: the Info of a required single-cell input, with overrides for the properties under test. */
import type { InputInfo } from '../contract/parameters.ts';

export function inputInfo(info: Partial<InputInfo> = {}): InputInfo {
  return {
    RangeType: 'SingleCell',
    CellUsages: ['Number'],
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
    Formats: ['General'],
    DefaultValue: null,
    ...info,
  };
}
