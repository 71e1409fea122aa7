import { Checkbox } from '@blueprintjs/core';
import { fileSizeText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';
import type { PurgeRow } from './use-purge-rows.ts';

interface Selection<Row> {
  nameOf: (row: Row) => string;
  isSelected: (row: Row) => boolean;
  toggle: (row: Row) => void;
}

export function selectionColumn<Row>({ nameOf, isSelected, toggle }: Selection<Row>): GridColumn<Row> {
  return {
    key: 'selected',
    title: '',
    width: 50,
    isActions: true,
    text: () => '',
    render: (row) => (
      <Checkbox
        aria-label={t('Select {name}', { name: nameOf(row) })}
        checked={isSelected(row)}
        onChange={() => toggle(row)}
      />
    ),
  };
}

type Size = 'Total' | 'InputFile' | 'OutputFile';

/** Returns the column of a size. A null size is not known yet. */
export function sizeColumn<Row extends Record<Size, number | null>>(key: Size, title: string): GridColumn<Row> {
  return {
    key,
    title,
    align: 'right',
    width: 130,
    givesWayTo: 105,
    text: (row) => sizeText(row[key]),
    sortValue: (row) => row[key],
  };
}

const sizeText = (size: number | null): string => (size === null ? '…' : fileSizeText(size));

export function purgeColumns(selected: ReadonlySet<number>, toggle: (row: PurgeRow) => void): GridColumn<PurgeRow>[] {
  const isSelected = ({ ActivityId }: PurgeRow): boolean => selected.has(ActivityId);
  return [
    selectionColumn({ nameOf: (row) => row.ActivityName, isSelected, toggle }),
    { key: 'ActivityName', title: t('Activity'), text: (row) => row.ActivityName, givesWayTo: 200 },
    { key: 'SchemaName', title: t('Schema'), text: (row) => row.SchemaName },
    sizeColumn('Total', t('Total')),
    sizeColumn('InputFile', t('Input files')),
    sizeColumn('OutputFile', t('Output files')),
  ];
}
