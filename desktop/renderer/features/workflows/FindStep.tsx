import { InputGroup } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { useState, type KeyboardEvent } from 'react';
import { t } from '#renderer/language/translate.ts';
import { foundSteps } from './found-steps.ts';

interface FindStepProps {
  steps: readonly { Key: string; Name: string; label: string }[];
  selected: string | null;
  onSelect: (key: string) => void;
  onOpen?: ((key: string) => void) | undefined;
}

/** Finds steps by parts of their names or descriptions. The first match is selected, and Enter goes to the next. */
export function FindStep({ steps, selected, onSelect, onOpen }: FindStepProps) {
  const [search, setSearch] = useState('');
  const found = foundSteps(steps, search);
  const at = found.findIndex(({ Key }) => Key === selected);
  const go = (by: number): void => {
    const next = found.at((at < 0 ? (by > 0 ? 0 : -1) : at + by) % found.length);
    if (next) onSelect(next.Key);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Stop the event, because the graph has its own keys.
    event.stopPropagation();
    if (event.key === 'Enter' && event.ctrlKey && selected !== null) onOpen?.(selected);
    else if (event.key === 'Enter' || event.key === 'ArrowDown') go(event.shiftKey ? -1 : 1);
    else if (event.key === 'ArrowUp') go(-1);
    else if (event.key === 'Escape') setSearch('');
    else return;
    event.preventDefault();
  };
  return (
    <div className="rs-find-step" role="search">
      <InputGroup
        aria-label={t('Find step')}
        placeholder={t('Find step')}
        title={t('Enter goes to the next match, Shift+Enter to the previous one')}
        size="small"
        leftIcon={<Search />}
        value={search}
        onKeyDown={onKeyDown}
        onValueChange={(text) => {
          setSearch(text);
          const [first] = foundSteps(steps, text);
          if (first) onSelect(first.Key);
        }}
        rightElement={
          search.trim() === '' ? undefined : (
            <span className="rs-find-count" role="status">
              {found.length === 0
                ? t('None')
                : t('{max} of {foundCount}', { max: Math.max(0, at) + 1, foundCount: found.length })}
            </span>
          )
        }
      />
    </div>
  );
}
