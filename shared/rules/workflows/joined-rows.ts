/** Combines the outputs of all rows of a ForEach step into tables. */
import type { CellUsage, Output, OutputInfo } from '#shared/contract/parameters.ts';

/** Name of the table in which a ForEach step returns one line per row. */
export const JOINED_ROWS = 'Rows';

/** Columns that precede the output columns. */
const ROW_KEY_COLUMN = 'RowKey';
const STATUS_COLUMN = 'Status';

type NamedOutput = Pick<Output, 'Name' | 'Info'>;

export interface JoinedTable<O extends NamedOutput = NamedOutput> {
  Name: string;
  /** Info of the whole table, including its first two columns. */
  Info: OutputInfo;
  /**
   * Either one line per row with the values of single outputs, in this order, or all lines of a table that each row
   * returns.
   */
  from: { kind: 'values'; outputs: O[] } | { kind: 'table'; output: O };
}

/**
 * Returns the tables of a ForEach step. `Rows` has one line per row with its name, its status, and its single-value
 * outputs; for files, it contains their names. For each table with column headers, the lines of all rows are appended
 * under the table's name. Lists and matrices are not combined.
 * @param outputs outputs of the activity that runs for each row
 */
export function joinedTables<O extends NamedOutput>(outputs: readonly O[]): JoinedTable<O>[] {
  const singles = outputs.filter(({ Info }) => Info.RangeType === 'SingleCell');
  const rows: JoinedTable<O> = {
    Name: JOINED_ROWS,
    Info: infoOf(
      singles.map(({ Name }) => Name),
      singles.map(({ Info }) => usageOf(Info.CellUsages[0])),
      singles.map(({ Info }) => Info.Formats[0] ?? ''),
    ),
    from: { kind: 'values', outputs: singles },
  };
  const tables = outputs.filter(({ Name, Info }) => Info.RangeType === 'RangeWithColumnHeaders' && !isJoinedRows(Name));
  return [
    rows,
    ...tables.map((output): JoinedTable<O> => {
      const { ColumnHeaderValues, CellUsages, Formats } = output.Info;
      return {
        Name: output.Name,
        Info: infoOf(ColumnHeaderValues, CellUsages.map(usageOf), Formats),
        from: { kind: 'table', output },
      };
    }),
  ];
}

/** Returns the table with this name, ignoring case. */
export const joinedTable = <O extends NamedOutput>(outputs: readonly O[], name: string): JoinedTable<O> | undefined =>
  joinedTables(outputs).find(({ Name }) => lower(Name) === lower(name));

const lower = (name: string): string => name.trim().toLowerCase();
const isJoinedRows = (name: string): boolean => lower(name) === lower(JOINED_ROWS);

const FILES: readonly (CellUsage | undefined)[] = ['FilePath', 'FileId', 'FolderPath'];

const usageOf = (usage: CellUsage | undefined): CellUsage =>
  usage === undefined || FILES.includes(usage) ? 'Text' : usage;

function infoOf(names: readonly string[], usages: readonly CellUsage[], formats: readonly string[]): OutputInfo {
  const taken = [ROW_KEY_COLUMN, STATUS_COLUMN].map(lower);
  const ColumnHeaderValues = names.map((name) => (taken.includes(lower(name)) ? `${name} (output)` : name));
  return {
    RangeType: 'RangeWithColumnHeaders',
    CellUsages: ['Text', 'Text', ...usages],
    CalculateImmediately: false,
    SqlNames: [],
    HeaderRows: 1,
    HeaderCols: 0,
    RowsVariable: true,
    ColumnHeaderValues: [ROW_KEY_COLUMN, STATUS_COLUMN, ...ColumnHeaderValues],
    RowHeaderValues: [],
    Formats: ['', '', ...names.map((_, at) => formats[at] ?? '')],
  };
}
