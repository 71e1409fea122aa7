/** Test cases as rows of a sheet: one column per single-value input and output. */
import { AppError } from '#server/base/app-error.ts';
import {
  isBlankCell,
  matchHeaders,
  readInputCell,
  UNNAMED,
  unnamedCells,
  type RowInput,
  type SheetCell,
  type SheetRows,
} from '#server/sheets/row-inputs.ts';
import { inputColumn } from '#server/sheets/row-workbook-builder.ts';
import type { RowColumn, RowWorkbook } from '#server/sheets/row-workbook.ts';
import { nameKey, type VersionOutput } from '#server/versions/version-catalog.ts';
import { columnLetters } from '#shared/codecs/cell-address.ts';
import type { Input, InputInfo } from '#shared/contract/parameters.ts';
import {
  TEST_CASE_NAME_MAX,
  TEST_CASES_MAX,
  TEST_ISSUES_MAX,
  type CaseIssue,
  type RefusedImport,
  type TestCaseContent,
} from '#shared/contract/test-beds.ts';
import { nameTaken } from './case-checks.ts';
import { openInput } from '#shared/rules/open-input.ts';

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

/** Rules for cases, in addition to those for their cells. */
export interface CaseRules {
  /** Keys of the names of the activity's existing cases. */
  taken: ReadonlySet<string>;
  /** True if each case needs an expected output because there are no property checks. */
  mustCompare: boolean;
}

/** Throws an AppError 422 that lists each unacceptable cell. */
export function casesOfSheet(
  sheet: SheetRows,
  filled: readonly RowInput[],
  outputs: readonly VersionOutput[],
  rules: CaseRules,
): TestCaseContent[] {
  const wanted = outputs.filter(isSingle);
  const names = [
    NAME,
    TOLERANCE,
    ...filled.map(({ input }) => input.Name),
    ...wanted.map((one) => expectedHeader(one.Name)),
  ];
  const matched = matchHeaders(sheet.headers, names);
  const issues: CaseIssue[] = matched.issues.map((issue) => ({ ...issue, Column: '' }));
  if (!matched.columnIndexes.has(NAME)) issues.push({ Cell: '', Column: NAME, Message: `There is no column ${NAME}` });
  if (sheet.rows.length === 0) issues.push({ Cell: '', Column: '', Message: 'There are no rows' });
  if (issues.length > 0) throw refusal(issues);
  const region = filled.find(({ input }) => input.Info.Region)?.input.Info.Region;
  const expected = wanted.map((output): RowInput => ({ input: asInput(output, region), items: null }));
  const taken = new Set(rules.taken);
  const cases = sheet.rows.map(({ row, cells }) => {
    const line = lineOf(matched.columnIndexes, row, cells, issues);
    checkName(line, nameOf(line), taken);
    const content = readCase(line, filled, expected);
    if (rules.mustCompare && content.Expected.length === 0)
      line.addIssue(NAME, 'The test case compares nothing and would always pass: specify an expected output');
    for (const col of unnamedCells(sheet.headers, cells))
      issues.push({ Cell: `${columnLetters(col)}${row}`, Column: '', Message: UNNAMED });
    return content;
  });
  if (issues.length > 0) throw refusal(issues);
  return cases;
}

/** A row, accessed by column name. */
interface Line {
  has(column: string): boolean;
  cell(column: string): SheetCell;
  addIssue(column: string, message: string): void;
}

const lineOf = (
  columnIndexes: ReadonlyMap<string, number>,
  row: number,
  cells: readonly SheetCell[],
  issues: CaseIssue[],
): Line => ({
  has: (column) => columnIndexes.has(column),
  cell: (column) => cells[columnIndexes.get(column) ?? -1] ?? null,
  addIssue: (Column, Message) =>
    issues.push({ Cell: `${columnLetters(columnIndexes.get(Column) ?? 0)}${row}`, Column, Message }),
});

function readCase(line: Line, filled: readonly RowInput[], expected: readonly RowInput[]): TestCaseContent {
  const Inputs = filled.flatMap((one) => {
    const { Name } = one.input;
    if (!line.has(Name)) return [];
    const { value, messages } = readInputCell(one, line.cell(Name));
    for (const message of messages) line.addIssue(Name, message);
    return [{ Name, Value: value === null ? null : JSON.stringify(value), UseDefault: value === null }];
  });
  const Tolerance = toleranceOf(line);
  const Expected = expected.flatMap((one) => {
    const { Name } = one.input;
    const cell = line.cell(expectedHeader(Name));
    if (isBlankCell(cell)) return [];
    const { value, messages } = readInputCell(one, cell);
    const isError = typeof cell === 'object';
    if (!isError) for (const message of messages) line.addIssue(expectedHeader(Name), message);
    return [{ Name, Value: JSON.stringify(isError ? cell : value), Tolerance, RelativeTolerance: 0 }];
  });
  return { Name: nameOf(line), Status: 'Succeeded', Inputs, Expected };
}

const nameOf = (line: Line): string => textOf(line.cell(NAME)).trim();

function toleranceOf(line: Line): number {
  const cell = line.cell(TOLERANCE);
  if (isBlankCell(cell)) return 0;
  const tolerance = typeof cell === 'number' ? cell : Number(textOf(cell).trim() || 'x');
  if (Number.isNaN(tolerance)) line.addIssue(TOLERANCE, 'Value must be a number');
  else if (tolerance < 0) line.addIssue(TOLERANCE, 'A tolerance must be 0 or more');
  return Math.max(0, tolerance) || 0;
}

/** Checks the name and adds it to the used names. */
function checkName(line: Line, name: string, taken: Set<string>): void {
  const key = nameKey(name);
  if (name === '' || name.length > TEST_CASE_NAME_MAX)
    line.addIssue(NAME, `The name of a test case must have 1 to ${TEST_CASE_NAME_MAX} characters`);
  else if (taken.has(key)) line.addIssue(NAME, nameTaken(name));
  taken.add(key);
}

const textOf = (cell: SheetCell): string => (typeof cell === 'object' ? '' : String(cell));

/** Treats the output as an input of its type, so that cells are parsed with the workbook's number format. */
function asInput({ Id, Name, Info }: VersionOutput, region: InputInfo['Region']): Input {
  const { RangeType, CellUsages, Formats } = Info;
  return openInput({
    Id,
    Name,
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
      ...(region ? { Region: region } : {}),
    },
  });
}

const MAX_NAMED_CELLS = 20;

function refusal(issues: readonly CaseIssue[]): AppError {
  const named = issues
    .slice(0, MAX_NAMED_CELLS)
    .map(({ Cell, Message }) => (Cell === '' ? Message : `${Cell}: ${Message}`));
  const rest = issues.length - MAX_NAMED_CELLS;
  const more = rest === 1 ? '1 more cell is not valid' : `${rest} more cells are not valid`;
  const answer: Omit<RefusedImport, 'Message'> = {
    Issues: issues.slice(0, TEST_ISSUES_MAX),
    IssueCount: issues.length,
  };
  return new AppError(
    'cellsRefused',
    422,
    `Nothing was imported. ${[...named, ...(rest > 0 ? [more] : [])].join('. ')}`,
    { answer },
  );
}
