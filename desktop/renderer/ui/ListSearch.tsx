import { Button, InputGroup } from '@blueprintjs/core';
import { Refresh, Search } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import { t } from '#renderer/language/translate.ts';
import { useAddressValues } from './use-address-values.ts';

/** The search text of a list, stored in the address. */
export function useListSearch(): [search: string, setSearch: (text: string) => void] {
  const [values, change] = useAddressValues();
  const setSearch = (text: string): void =>
    change((present) => {
      if (text === '') present.delete('q');
      else present.set('q', text);
      return present;
    });
  return [values.get('q') ?? '', setSearch];
}

interface ListBarProps {
  /** Accessible name of the search field: 'Search activities'. */
  label: string;
  search: string;
  onSearch: (text: string) => void;
  query: { isFetching: boolean; refetch: () => Promise<unknown> };
  /** Placed between the search field and the refresh button. */
  buttons?: ReactNode;
  children?: ReactNode;
}

/** The bar above a list. */
export function ListBar({ label, search, onSearch, query, buttons, children }: ListBarProps) {
  return (
    <div className="rs-bar">
      <InputGroup
        type="search"
        leftIcon={<Search />}
        placeholder={t('Search')}
        aria-label={label}
        value={search}
        onValueChange={onSearch}
      />
      {buttons}
      <Button
        icon={<Refresh />}
        variant="minimal"
        aria-label={t('Refresh')}
        loading={query.isFetching}
        onClick={() => void query.refetch()}
      />
      {children}
    </div>
  );
}
