/** Test cases as rows of a sheet: a column for each input of a single value, and for each output of one. */
import { AppError } from '#server/base/app-error.ts';
import {
  matchHeaders,
  readInputCell,
  UNNAMED,
  unnamedCells,
  type CellIssue,
  type RowInput,
  type SheetCell,
  type SheetRows,
} from '#server/features/row-sheets/row-inputs.ts';
import { inputColumn } from '#server/features/row-sheets/row-workbook-builder.ts';
import type { RowColumn, RowWorkbook } from '#server/features/row-sheets/row-workbook.ts';
import type { VersionOutput } from '#server/versions/version-catalog.ts';
import { columnLetters } from '#shared/codecs/cell-address.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { TEST_CASES_MAX, type TestCaseContent } from '#shared/contract/test-beds.ts';

const NAME = 'Test case';
const TOLERANCE = 'Tolerance';
const expectedHeader = (name: string): string => `Expected ${name}`;
const isSingle = ({ Info }: VersionOutput): boolean =>
  Info.RangeType === 'SingleCell' && !['FilePath', 'FileId'].includes(Info.CellUsages[0] ?? '');

export function caseTemplate(filled: readonly RowInput[], outputs: readonly VersionOutput[]): RowWorkbook {
  const plain = { format: 'General', isRequired: false, items: null, rule: null, isResult: false };
  const columns: RowColumn[] = [
    { ...plain, header: NAME, usage: 'Text', note: 'What the case is called', isRequired: true },
    ...filled.map(inputColumn),
    ...outputs.filter(isSingle).map(({ Name, Info, Description }) => ({
      ...plain,
      header: expectedHeader(Name),
      usage: Info.CellUsages[0] ?? ('Number' as const),
      format: Info.Formats[0] ?? 'General',
      note: Description === '' ? 'What the output is to be; blank where it is not looked at' : Description,
    })),
    { ...plain, header: TOLERANCE, usage: 'Number', note: 'How far expected numbers may be off; 0 where blank' },
  ];
  const notes = ['Enter one test case in each row of the first sheet, and import the file again.'];
  return { sheetName: 'Test cases', columns, rows: [], entered: TEST_CASES_MAX, notes };
}

/** Throws an AppError 422 that tells each cell that cannot be taken. */
export function casesOfSheet(
  sheet: SheetRows,
  filled: readonly RowInput[],
  outputs: readonly VersionOutput[],
): TestCaseContent[] {
  const wanted = outputs.filter(isSingle);
  const names = [
    NAME,
    TOLERANCE,
    ...filled.map(({ input }) => input.Name),
    ...wanted.map((one) => expectedHeader(one.Name)),
  ];
  const { places, issues } = matchHeaders(sheet.headers, names);
  if (!places.has(NAME)) issues.push({ Cell: '', Message: `There is no column ${NAME}` });
  if (sheet.rows.length === 0) issues.push({ Cell: '', Message: 'There are no rows' });
  if (issues.length > 0) throw refusal(issues);
  const cases = sheet.rows.map(({ row, cells }): TestCaseContent => {
    const cellOf = (name: string): SheetCell => cells[places.get(name) ?? -1] ?? null;
    const tell = (name: string, Message: string): void => {
      issues.push({ Cell: `${columnLetters(places.get(name) ?? 0)}${row}`, Message });
    };
    const title = textOf(cellOf(NAME)).trim();
    if (title === '' || title.length > 100) tell(NAME, 'The name of a case has 1 to 100 characters');
    const tolerance = cellOf(TOLERANCE) ?? 0;
    if (typeof tolerance !== 'number' && Number.isNaN(Number(textOf(tolerance).trim() || 'x')))
      tell(TOLERANCE, 'Value must be a number');
    const Tolerance = Math.abs(Number(tolerance)) || 0;
    const Inputs = filled.flatMap((one) => {
      const { Name } = one.input;
      if (!places.has(Name)) return [];
      const { value, messages } = readInputCell(one, cellOf(Name));
      for (const message of messages) tell(Name, message);
      return [{ Name, Value: value === null ? null : JSON.stringify(value), UseDefault: value === null }];
    });
    const Expected = wanted.flatMap((output) => {
      const cell = cellOf(expectedHeader(output.Name));
      if (cell === null || (typeof cell === 'string' && cell.trim() === '')) return [];
      const { value, messages } = readInputCell({ input: asInput(output), items: null }, cell);
      const isError = typeof cell === 'object';
      if (!isError) for (const message of messages) tell(expectedHeader(output.Name), message);
      const Value = JSON.stringify(isError ? cell : value);
      return [{ Name: output.Name, Value, Tolerance, RelativeTolerance: 0 }];
    });
    for (const col of unnamedCells(sheet.headers, cells))
      issues.push({ Cell: `${columnLetters(col)}${row}`, Message: UNNAMED });
    return { Name: title, Status: 'Succeeded', Inputs, Expected };
  });
  if (issues.length > 0) throw refusal(issues);
  return cases;
}

const textOf = (cell: SheetCell): string => (typeof cell === 'object' ? '' : String(cell));

/** Read as an input of its kind would be. */
function asInput({ Id, Name, Info }: VersionOutput): Input {
  const { RangeType, CellUsages, Formats } = Info;
  return {
    Id,
    ActivityId: 1,
    Name,
    Description: '',
    HasAccess: true,
    PresetValue: null,
    PresetValueError: null,
    Info: {
      RangeType,
      CellUsages,
      Specifications: ['Required'],
      Blanks: [true],
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
      Formats,
      DefaultValue: null,
    },
  };
}

const TOLD = 20;

function refusal(issues: readonly CellIssue[]): AppError {
  const told = issues.slice(0, TOLD).map(({ Cell, Message }) => (Cell === '' ? Message : `${Cell}: ${Message}`));
  const more = issues.length > TOLD ? [`${issues.length - TOLD} more cells cannot be taken`] : [];
  return new AppError('cellsRefused', 422, `Nothing was imported. ${[...told, ...more].join('. ')}`);
}
