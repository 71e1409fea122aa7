/** Outputs for copying: as texts in the user's region, and with their values. */
import { TEXT, type CopiedTable } from '#renderer/ui/grid/copied-cells.ts';
import { copiedRows, toClipboardText } from '#renderer/ui/grid/grid-model.ts';
import { valueRows } from '#shared/codecs/format-value.ts';
import { copiedValue } from '#renderer/ui/values/copied-value.ts';
import { singleText, valueTable } from '#renderer/ui/values/output-values.ts';
import { tableColumns } from '#renderer/ui/values/table-columns.ts';
import type { ShownValue } from '#renderer/ui/values/ValuesView.tsx';
import { resultParts } from './result-parts.ts';

/** Returns the outputs as tables: single values as one table of names and values, then each table with its name. */
export function copiedResult(values: readonly ShownValue[]): CopiedTable[] {
  const { figures, listed, tables } = resultParts(values);
  const single = [...figures, ...listed.filter(({ note, files }) => note === '' && files.length === 0)];
  return [
    ...(single.length > 0 ? [{ title: '', header: [], rows: single.map(copiedFigure) }] : []),
    ...tables.map(copiedTable),
  ];
}

function copiedFigure({ name, json, info }: ShownValue): CopiedTable['rows'][number] {
  const value = copiedValue(valueRows(json)[0]?.[0], info.Formats[0], info.CellUsages[0]);
  return [
    { text: name, value: TEXT },
    { text: singleText(json, info), value },
  ];
}

function copiedTable({ name, json, info }: ShownValue): CopiedTable {
  const table = valueTable(json, info, name);
  const columns = tableColumns(table);
  return { title: name, header: columns.map(({ title }) => title), rows: copiedRows(columns, table.rows) };
}

export function copiedText(tables: readonly CopiedTable[]): string {
  return tables
    .map(({ title, header, rows }) =>
      toClipboardText([
        ...(title === '' ? [] : [[title]]),
        ...(header.length === 0 ? [] : [header]),
        ...rows.map((row) => row.map(({ text }) => text)),
      ]),
    )
    .join('\n\n');
}
