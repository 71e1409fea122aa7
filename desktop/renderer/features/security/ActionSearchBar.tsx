import { Button, HTMLSelect } from '@blueprintjs/core';
import { useMemo } from 'react';
import { SearchField } from '#renderer/ui/SearchField.tsx';
import { t } from '#renderer/language/translate.ts';
import { DateField } from '#renderer/ui/date/DateField.tsx';
import { NO_FILTER, type ActionFilter } from './action-search.ts';
import { actionOptions } from './action-texts.ts';

interface ActionSearchBarProps {
  words: string;
  onWords: (words: string) => void;
  filter: ActionFilter;
  onFilter: (change: Partial<ActionFilter>) => void;
}

/** Searches by user, target, action and date. */
export function ActionSearchBar({ words, onWords, filter, onFilter }: ActionSearchBarProps) {
  const options = useMemo(() => [{ value: '', label: t('All actions') }, ...actionOptions()], []);
  const isFiltered = words !== '' || Object.values(filter).some((value) => value !== '');
  return (
    <div className="rs-bar rs-action-search" role="search">
      <SearchField label={t('Search users, roles, rights and addresses')} value={words} onChange={onWords} />
      <HTMLSelect
        aria-label={t('Action')}
        value={filter.action}
        options={options}
        onChange={({ currentTarget }) => onFilter({ action: currentTarget.value })}
      />
      <div className="rs-action-days">
        <DateField aria-label={t('From')} value={filter.from} onChange={(from) => onFilter({ from })} />
        <span className="rs-muted">{t('to')}</span>
        <DateField aria-label={t('To')} value={filter.to} onChange={(to) => onFilter({ to })} />
      </div>
      {isFiltered && (
        <Button
          variant="minimal"
          text={t('Clear')}
          onClick={() => {
            onWords('');
            onFilter(NO_FILTER);
          }}
        />
      )}
    </div>
  );
}
