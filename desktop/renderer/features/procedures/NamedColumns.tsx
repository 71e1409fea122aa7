import { Button, HTMLSelect } from '@blueprintjs/core';
import { Plus, Trash } from '@blueprintjs/icons';
import { t } from '#renderer/language/translate.ts';
import { LimitedInput } from '#renderer/ui/LimitedInput.tsx';

interface NamedColumnsProps<Kind extends string> {
  /** What the columns belong to, for their labels. */
  label: string;
  items: readonly { Name: string; kind: Kind }[];
  kinds: readonly Kind[];
  onChange: (items: { Name: string; kind: Kind }[]) => void;
}

/** Editor for an ordered list of columns with names and kinds. */
export function NamedColumns<Kind extends string>(props: NamedColumnsProps<Kind>) {
  const { label, items, kinds, onChange } = props;
  const write = (at: number, change: Partial<{ Name: string; kind: Kind }>): void =>
    onChange(items.map((item, index) => (index === at ? { ...item, ...change } : item)));
  return (
    <>
      <ol className="rs-plain-list rs-named-kinds">
        {items.map(({ Name, kind }, index) => (
          // While the user types, only the position identifies a column.
          <li key={index}>
            <LimitedInput
              aria-label={t('Name of column {index} of {label}', { index: index + 1, label })}
              value={Name}
              maxLength={255}
              onValueChange={(text) => write(index, { Name: text })}
            />
            <HTMLSelect
              aria-label={t('Kind of column {index} of {label}', { index: index + 1, label })}
              value={kind}
              onChange={(event) => write(index, { kind: event.currentTarget.value as Kind })}
              options={[...kinds]}
            />
            <Button
              variant="minimal"
              icon={<Trash />}
              aria-label={t('Remove column {index} of {label}', { index: index + 1, label })}
              disabled={items.length === 1}
              onClick={() => onChange(items.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ol>
      <Button
        variant="minimal"
        size="small"
        icon={<Plus />}
        text={t('Add column')}
        aria-label={t('Add a column to {label}', { label })}
        onClick={() => onChange([...items, { Name: '', kind: kinds[0]! }])}
      />
    </>
  );
}
