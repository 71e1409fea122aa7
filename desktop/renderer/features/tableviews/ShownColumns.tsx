import { Button, Checkbox, PopoverNext } from '@blueprintjs/core';
import { Th } from '@blueprintjs/icons';
import type { ValueColumn } from '#shared/contract/tableviews.ts';
import { t } from '#renderer/language/translate.ts';

interface ShownColumnsProps {
  columns: readonly ValueColumn[];
  /** Names of the visible columns; null for all. */
  shown: readonly string[] | null;
  /** `to` receives the current names; the rendered ones may be older. */
  onChange: (to: (present: readonly string[] | null) => readonly string[] | null) => void;
}

/** Chooses which columns are shown and exported. Filters and the sort order may use other columns too. */
export function ShownColumns({ columns, shown, onChange }: ShownColumnsProps) {
  const all = columns.map(({ ColumnName }) => ColumnName);
  const chosen = new Set(shown ?? all);
  const count = all.filter((name) => chosen.has(name)).length;
  const toggle = (name: string): void =>
    onChange((present) => {
      const before = new Set(present ?? all);
      const next = all.filter((one) => (one === name ? !before.has(one) : before.has(one)));
      // At least one column stays visible.
      if (next.length === 0) return present;
      return next.length === all.length ? null : next;
    });
  return (
    <PopoverNext
      placement="bottom-start"
      content={
        <div className="rs-view-shown" role="group" aria-label={t('Columns')}>
          {columns.map(({ ColumnName, DisplayName }) => (
            <Checkbox
              key={ColumnName}
              label={DisplayName}
              checked={chosen.has(ColumnName)}
              disabled={count === 1 && chosen.has(ColumnName)}
              onChange={() => toggle(ColumnName)}
            />
          ))}
          {shown !== null && <Button variant="minimal" text={t('Show all')} onClick={() => onChange(() => null)} />}
        </div>
      }
    >
      <Button
        variant="minimal"
        icon={<Th />}
        aria-haspopup="dialog"
        text={
          shown === null
            ? t('Columns')
            : t('Columns ({count} of {columnsCount})', { count, columnsCount: columns.length })
        }
      />
    </PopoverNext>
  );
}
