/**
 * Exports the history of runs as a workbook. It streams both the runs and the workbook, so neither is ever in memory as
 * a whole.
 */
import type { CellContent } from '#server/base/xlsx/cell-xml.ts';
import type { SheetWriter } from '#server/base/xlsx/sheet-writer.ts';
import { streamWorkbook } from '#server/base/xlsx/stream-workbook.ts';
import type { InputInfo, OutputInfo } from '#shared/contract/parameters.ts';
import { STATUS_TEXT } from '#shared/contract/run-status.ts';
import type { History, HistoryRun, HistoryValue } from '#shared/contract/run-history.ts';
import { cellFormat, cellValue } from './table-workbook.ts';
import { utcSerial } from './utc-serial.ts';

type Subject = Pick<NonNullable<History['Activity']>, 'Type' | 'Inputs' | 'Outputs'>;

interface Column {
  header: string;
  /** Shown above the header, so that inputs and outputs are distinguishable without their colors. */
  kind: '' | 'Input' | 'Output';
  format?: string;
  cell: (run: HistoryRun) => CellContent;
}

const TIME_FORMAT = 'yyyy-mm-dd hh:mm:ss';
const WIDTH = { min: 12, max: 40 };
/** Yellow and green, as on the screen. */
const FILLS = { Input: 'FFF2CC', Output: 'D9EAD3' };

/** @param subject the activity of the runs; null if they belong to several */
export function historyWorkbook(
  subject: Subject | null,
  pages: AsyncIterable<readonly HistoryRun[]>,
): AsyncGenerator<Uint8Array> {
  const columns = historyColumns(subject);
  return streamWorkbook(async (workbook) => {
    const sheet = workbook.addSheet({
      name: 'Runs',
      columns: columns.map(({ header, format }) => ({
        width: Math.min(WIDTH.max, Math.max(WIDTH.min, header.length + 2)),
        format,
      })),
      frozenRows: 2,
    });
    await addTitles(sheet, columns);
    for await (const runs of pages) {
      for (const run of runs) await sheet.addRow(columns.map(({ cell }) => cell(run)));
    }
    sheet.end();
  });
}

async function addTitles(sheet: SheetWriter, columns: readonly Column[]): Promise<void> {
  for (const titles of [columns.map(({ kind }) => kind), columns.map(({ header }) => header)]) {
    await sheet.addRow(titles.map(cellValue), (col) => {
      const { kind } = columns[col]!;
      return { isBold: true, fill: kind === '' ? undefined : FILLS[kind] };
    });
  }
}

function historyColumns(subject: Subject | null): Column[] {
  return [
    { header: 'Status', kind: '', cell: (run) => STATUS_TEXT[run.Status] },
    { header: 'Run on (UTC)', kind: '', format: TIME_FORMAT, cell: (run) => utcSerial(new Date(run.QueueTime)) },
    {
      header: 'Ended (UTC)',
      kind: '',
      format: TIME_FORMAT,
      cell: (run) => run.EndTime && utcSerial(new Date(run.EndTime)),
    },
    ...(subject ? [] : [{ header: 'Name', kind: '' as const, cell: (run: HistoryRun) => cellValue(run.Name) }]),
    { header: 'Run By', kind: '', cell: (run) => cellValue(run.UserFullName) },
    ...(subject?.Type === 'StoredProcedure' ? [] : [{ header: 'Version', kind: '' as const, cell: versionOf }]),
    ...(subject?.Inputs ?? []).map((input) => valueColumn('Input', input)),
    ...(subject?.Outputs ?? []).map((output) => valueColumn('Output', output)),
  ];
}

const versionOf = (run: HistoryRun): CellContent => run.ActivityVersion;

function valueColumn(
  kind: 'Input' | 'Output',
  { Id, Name, Info }: { Id: number; Name: string; Info: InputInfo | OutputInfo },
): Column {
  const isSingle = Info.RangeType === 'SingleCell';
  return {
    header: Name,
    kind,
    format: isSingle ? cellFormat(Info.Formats[0] ?? '', Info.CellUsages[0] === 'Date') : undefined,
    cell: (run) => {
      const values = kind === 'Input' ? run.Inputs : run.Outputs;
      return valueCell(values.filter((value) => value.ActivityParameterId === Id));
    },
  };
}

/** Returns a single value as it is, the names of files, or the number of rows of a table. */
function valueCell(values: readonly HistoryValue[]): CellContent {
  const [first] = values;
  if (!first) return null;
  if (first.FileName !== null) return cellValue(values.map(({ FileName }) => FileName).join(', '));
  if (first.Rows !== null) return first.Rows === 1 ? '1 row' : `${first.Rows} rows`;
  return first.Value === null ? null : cellValue(JSON.parse(first.Value));
}
