/** The outputs of all rows of a For each as one table. */
import type { CellUsage, Output, OutputInfo } from '#shared/contract/parameters.ts';

/** Under which name a For each gives one line for each of its rows. */
export const JOINED_ROWS = 'Rows';

/** The columns that come before those of outputs. */
export const ROW_KEY_COLUMN = 'RowKey';
export const STATUS_COLUMN = 'Status';

type NamedOutput = Pick<Output, 'Name' | 'Info'>;

export interface JoinedTable<O extends NamedOutput = NamedOutput> {
  Name: string;
  /** Of the whole, its first two columns among it. */
  Info: OutputInfo;
  /** One line for each row, with the values of single outputs, in this order; or all lines of a table that each row has. */
  from: { kind: 'values'; outputs: O[] } | { kind: 'table'; output: O };
}

/**
 * The tables that a For each gives. `Rows` has a line for each row with its name, how it ended, and its outputs that are single values; of
 * files their names. Each table with column headers gives its own lines one under the other, under its name. Lists and matrices are not
 * joined.
 * @param outputs those of the activity that runs for each row
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

/** The one of a name; letter case does not count. */
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
