import { Button, Checkbox, PopoverNext } from '@blueprintjs/core';
import { ListColumns } from '@blueprintjs/icons';
import { t } from '#renderer/language/translate.ts';

interface ColumnChooserProps {
  label: string;
  columns: readonly { key: string; title: string }[];
  hidden: ReadonlySet<string>;
  setHidden: (hidden: ReadonlySet<string>) => void;
}

/** Chooses which columns of a table are shown; at least one stays visible. */
export function ColumnChooser({ label, columns, hidden, setHidden }: ColumnChooserProps) {
  const toggle = (key: string): void => {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    if (next.size < columns.length) setHidden(next);
  };
  return (
    <PopoverNext
      placement="bottom-end"
      content={
        <fieldset className="rs-column-chooser">
          <legend className="rs-visually-hidden">{t('Columns of {label}', { label })}</legend>
          <Button size="small" text={t('All')} onClick={() => setHidden(new Set())} />
          {columns.map(({ key, title }) => (
            <Checkbox key={key} checked={!hidden.has(key)} onChange={() => toggle(key)}>
              {title || t('Row names')}
            </Checkbox>
          ))}
        </fieldset>
      }
    >
      <Button
        size="small"
        icon={<ListColumns />}
        text={
          hidden.size === 0
            ? t('Columns')
            : t('Columns ({columnsCount} of {columnsCount2})', {
                columnsCount: columns.length - hidden.size,
                columnsCount2: columns.length,
              })
        }
        aria-label={t('Columns of {label}', { label })}
        aria-haspopup="dialog"
      />
    </PopoverNext>
  );
}
