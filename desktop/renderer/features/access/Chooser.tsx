import { Button } from '@blueprintjs/core';
import { useDeferredValue, useState, type ComponentType, type ReactNode } from 'react';
import { SearchField } from '#renderer/ui/SearchField.tsx';
import { t } from '#renderer/language/translate.ts';

export interface FoundProps {
  search: string;
  /** Called with the id of the chosen one. */
  choose: (id: number) => void;
}

interface ChooserProps {
  title: string;
  /** Label of the search field. */
  label: string;
  /** Name of what is chosen; null if nothing is. */
  chosen: string | null;
  onChange: (id: number | null) => void;
  /** Shown beside the chosen name. */
  more?: ReactNode;
  /** Fetches and renders what matches. */
  Found: ComponentType<FoundProps>;
}

/** Chooses one person or activity by a search. */
export function Chooser({ title, label, chosen, onChange, Found, more }: ChooserProps) {
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed.trim());
  return (
    <section className="rs-why-chooser" aria-label={title}>
      <h2>{title}</h2>
      {chosen === null ? (
        <>
          <SearchField label={label} value={typed} onChange={setTyped} />
          {search !== '' && <Found search={search} choose={onChange} />}
        </>
      ) : (
        <p className="rs-why-chosen">
          <strong>{chosen}</strong>
          <Button
            size="small"
            text={t('Change')}
            aria-label={t('Change {name}', { name: chosen })}
            onClick={() => {
              setTyped('');
              onChange(null);
            }}
          />
          {more}
        </p>
      )}
    </section>
  );
}
