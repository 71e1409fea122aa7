import { Button, Checkbox, HTMLSelect } from '@blueprintjs/core';
import { ArrowDown, ArrowUp } from '@blueprintjs/icons';
import { memo } from 'react';
import { tableText } from '#shared/codecs/table-value.ts';
import { DISPLAY_NAME_MAX, type ViewColumn, type ViewUsage } from '#shared/contract/tableviews.ts';
import { personRegion } from '#renderer/language/region.ts';
import { t } from '#renderer/language/translate.ts';
import { LimitedInput } from '#renderer/ui/LimitedInput.tsx';
import type { ColumnSample, Samples } from './use-samples.ts';

type Change = (change: (columns: readonly ViewColumn[]) => readonly ViewColumn[]) => void;

interface ColumnsEditorProps {
  columns: readonly ViewColumn[];
  samples: Samples;
  onChange: Change;
}

const USAGES: readonly ViewUsage[] = ['Number', 'Text', 'Date'];

/** Chooses the columns of a view, with their order, names and formats. */
export function ColumnsEditor({ columns, samples, onChange }: ColumnsEditorProps) {
  const chosen = columns.filter(({ Selected }) => Selected).length;
  const chooseAll = (Selected: boolean): void => onChange((before) => before.map((one) => ({ ...one, Selected })));
  return (
    <>
      <div className="rs-bar">
        <span className="rs-muted">
          {t('{chosen} of {columnsCount} shown', { chosen, columnsCount: columns.length })}
        </span>
        <Button variant="minimal" text={t('Select all')} onClick={() => chooseAll(true)} />
        <Button variant="minimal" text={t('Clear')} onClick={() => chooseAll(false)} />
      </div>
      <div className="rs-view-columns-scroll">
        <table className="rs-view-columns">
          <thead>
            <tr>
              <th scope="col">{t('Column')}</th>
              <th scope="col">{t('Display name')}</th>
              <th scope="col">{t('Type')}</th>
              <th scope="col">{t('Display format')}</th>
              <th scope="col">{t('Sample')}</th>
              <th scope="col">{t('Order')}</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column, index) => (
              <ColumnRow
                key={column.ColumnName}
                column={column}
                sample={samples.get(column.ColumnName)}
                isFirst={index === 0}
                isLast={index === columns.length - 1}
                onChange={onChange}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface ColumnRowProps {
  column: ViewColumn;
  sample: ColumnSample | undefined;
  isFirst: boolean;
  isLast: boolean;
  onChange: Change;
}

/** Memoized, so that typing does not render all rows: a table may have a thousand columns. */
const ColumnRow = memo(function ColumnRow({ column, sample, isFirst, isLast, onChange }: ColumnRowProps) {
  const { ColumnName: name } = column;
  const write = (changed: Partial<ViewColumn>): void =>
    onChange((before) => before.map((one) => (one.ColumnName === name ? { ...one, ...changed } : one)));
  return (
    <tr>
      <td>
        <Checkbox
          checked={column.Selected}
          label={name}
          onChange={(event) => write({ Selected: event.currentTarget.checked })}
        />
        <span className="rs-muted rs-view-column-type">{column.DataType}</span>
      </td>
      <td>
        <LimitedInput
          aria-label={t('Display name of {name}', { name })}
          value={column.DisplayName}
          maxLength={DISPLAY_NAME_MAX}
          onValueChange={(DisplayName) => write({ DisplayName })}
        />
      </td>
      <td>
        <HTMLSelect
          aria-label={t('Type of {name}', { name })}
          value={column.CellUsage}
          options={[...USAGES]}
          onChange={(event) => write({ CellUsage: event.currentTarget.value as ViewUsage })}
        />
      </td>
      <td>
        <LimitedInput
          aria-label={t('Display format of {name}', { name })}
          placeholder={PLACEHOLDERS[column.CellUsage]}
          value={column.DisplayFormat}
          maxLength={100}
          disabled={column.CellUsage === 'Text'}
          onValueChange={(DisplayFormat) => write({ DisplayFormat })}
        />
      </td>
      <td className="rs-view-column-sample">{sample && sampleText(column, sample)}</td>
      <td className="rs-view-column-order">
        <Button
          variant="minimal"
          icon={<ArrowUp />}
          aria-label={t('Move {name} up', { name })}
          disabled={isFirst}
          onClick={() => onChange((before) => moved(before, name, -1))}
        />
        <Button
          variant="minimal"
          icon={<ArrowDown />}
          aria-label={t('Move {name} down', { name })}
          disabled={isLast}
          onClick={() => onChange((before) => moved(before, name, 1))}
        />
      </td>
    </tr>
  );
});

/** Returns a few values in the format of the view. */
function sampleText({ CellUsage, DisplayFormat }: ViewColumn, { FilterKind, values }: ColumnSample): string {
  const column = { FilterKind: CellUsage === 'Text' ? 'Text' : FilterKind, CellUsage, DisplayFormat } as const;
  return values
    .slice(0, SAMPLES)
    .map((value) => tableText(value, column, personRegion()))
    .join(' · ');
}

/** Number of sample values beside a column. */
const SAMPLES = 3;

const PLACEHOLDERS: Record<ViewUsage, string> = { Number: '#,##0.00', Text: '', Date: 'yyyy-mm-dd' };

function moved(columns: readonly ViewColumn[], name: string, by: -1 | 1): readonly ViewColumn[] {
  const from = columns.findIndex(({ ColumnName }) => ColumnName === name);
  const to = from + by;
  if (from < 0 || to < 0 || to >= columns.length) return columns;
  const changed = [...columns];
  [changed[from], changed[to]] = [changed[to]!, changed[from]!];
  return changed;
}
