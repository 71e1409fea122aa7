import { Checkbox } from '@blueprintjs/core';
import { formatFileSize } from '#shared/codecs/file-size.ts';
import type { RunDataSize } from '#shared/contract/purge.ts';
import type { GridColumn } from '#renderer/ui/grid/grid-model.ts';

export function purgeColumns(
  selected: ReadonlySet<number>,
  toggle: (row: RunDataSize) => void,
): GridColumn<RunDataSize>[] {
  const size = (key: 'Total' | 'InputFile' | 'OutputFile', title: string): GridColumn<RunDataSize> => ({
    key,
    title,
    align: 'right',
    width: 130,
    text: (row) => formatFileSize(row[key]),
    sortValue: (row) => row[key],
  });
  return [
    {
      key: 'selected',
      title: '',
      width: 50,
      isActions: true,
      text: () => '',
      render: (row) => (
        <Checkbox
          aria-label={`Select ${row.ActivityName}`}
          checked={selected.has(row.ActivityId)}
          onChange={() => toggle(row)}
        />
      ),
    },
    { key: 'ActivityName', title: 'Activity', text: (row) => row.ActivityName },
    { key: 'SchemaName', title: 'Schema', text: (row) => row.SchemaName },
    size('Total', 'Total'),
    size('InputFile', 'Input Files'),
    size('OutputFile', 'Output Files'),
  ];
}
