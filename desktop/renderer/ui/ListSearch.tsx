import { Button, InputGroup } from '@blueprintjs/core';
import { Refresh, Search } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { t } from '#renderer/language/translate.ts';

/** What a list is searched for, as it stands in the address. */
export function useListSearch(): [search: string, setSearch: (text: string) => void] {
  const [params, setParams] = useSearchParams();
  const setSearch = (text: string): void =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (text === '') after.delete('q');
        else after.set('q', text);
        return after;
      },
      { replace: true },
    );
  return [params.get('q') ?? '', setSearch];
}

interface ListBarProps {
  /** What is searched, for those who cannot see: 'Search activities'. */
  label: string;
  search: string;
  onSearch: (text: string) => void;
  query: { isFetching: boolean; refetch: () => Promise<unknown> };
  /** Between the search and the button that looks for what is new. */
  buttons?: ReactNode;
  children?: ReactNode;
}

/** The bar over a list. */
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
