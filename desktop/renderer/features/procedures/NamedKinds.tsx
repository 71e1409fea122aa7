import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { Plus, Trash } from '@blueprintjs/icons';

interface NamedKindsProps<Kind extends string> {
  /** What its parts are of, for their labels. */
  label: string;
  items: readonly { Name: string; kind: Kind }[];
  kinds: readonly Kind[];
  onChange: (items: { Name: string; kind: Kind }[]) => void;
}

/** Columns by name and kind, in their order. */
export function NamedKinds<Kind extends string>(props: NamedKindsProps<Kind>) {
  const { label, items, kinds, onChange } = props;
  const write = (at: number, change: Partial<{ Name: string; kind: Kind }>): void =>
    onChange(items.map((item, index) => (index === at ? { ...item, ...change } : item)));
  return (
    <>
      <ol className="rs-plain-list rs-named-kinds">
        {items.map(({ Name, kind }, index) => (
          // Columns are told apart by their place alone while one types.
          <li key={index}>
            <InputGroup
              aria-label={`Name of column ${index + 1} of ${label}`}
              value={Name}
              maxLength={255}
              onValueChange={(text) => write(index, { Name: text })}
            />
            <HTMLSelect
              aria-label={`Kind of column ${index + 1} of ${label}`}
              value={kind}
              onChange={(event) => write(index, { kind: event.currentTarget.value as Kind })}
              options={[...kinds]}
            />
            <Button
              variant="minimal"
              icon={<Trash />}
              aria-label={`Remove column ${index + 1} of ${label}`}
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
        text="Add column"
        aria-label={`Add a column to ${label}`}
        onClick={() => onChange([...items, { Name: '', kind: kinds[0]! }])}
      />
    </>
  );
}
