import { InputGroup, Overlay2 } from '@blueprintjs/core';
import { Help, KeyCommand, Search } from '@blueprintjs/icons';
import { useDeferredValue, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { rich, t } from '#renderer/language/translate.ts';
import { FailureLine } from '#renderer/ui/FetchFailure.tsx';
import { leavePalette, openHelp, openKeys, type PaletteView } from './palette-state.ts';
import { paletteGroups, type PaletteItem } from './palette-items.ts';
import { PaletteList } from './PaletteList.tsx';
import { usePaletteSources } from './use-palette-sources.tsx';
import './palette.css';

const NO_FOCUS = -1;
const PAGE = 8;

/** Actions available on every page. */
const EVERYWHERE: readonly PaletteItem[] = [
  { key: 'keys', text: t('Shortcuts of this page'), label: '?', icon: <KeyCommand />, act: openKeys },
  { key: 'help', text: t('Help for this page'), label: t('Help'), icon: <Help />, act: openHelp },
];

interface CommandPaletteProps {
  view: PaletteView;
  onClose: () => void;
}

/**
 * A search field with a result list, as a combobox: the focus stays in the field, and the arrow keys select from the
 * list.
 */
export function CommandPalette({ view, onClose }: CommandPaletteProps) {
  return (
    <Overlay2
      isOpen={view === 'places'}
      onClose={onClose}
      transitionDuration={0}
      shouldReturnFocusOnClose={false}
      className="rs-palette-overlay"
    >
      <div className="rs-palette" role="dialog" aria-modal="true" aria-label={t('Go to')}>
        <PaletteField />
      </div>
    </Overlay2>
  );
}

function PaletteField() {
  const navigate = useNavigate();
  const list = useId();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const { sources, failed } = usePaletteSources(useDeferredValue(query), EVERYWHERE);
  const groups = useMemo(() => paletteGroups(query, sources), [query, sources]);
  const items = groups.flatMap((group) => group.items);
  const chosen = items.length === 0 ? NO_FOCUS : Math.min(at, items.length - 1);
  const idOf = (index: number): string => `${list}-${index}`;

  const choose = (item: PaletteItem | undefined, runs: boolean): void => {
    if (!item) return;
    const to = runs && item.runPath !== undefined ? item.runPath : item.to;
    // Otherwise the focus would count as being in a dialog and would not move to the new page.
    field.current?.blur();
    leavePalette();
    if (to !== undefined) void navigate(to);
    // Runs after the palette has closed, so that the action can take the focus.
    else setTimeout(() => item.act?.());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = movedTo(event.key, chosen, items.length);
    if (next !== null) {
      event.preventDefault();
      setAt(next);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      choose(items[chosen], event.ctrlKey || event.metaKey);
    }
  };
  return (
    <>
      <InputGroup
        inputRef={field}
        autoFocus
        size="large"
        leftIcon={<Search />}
        value={query}
        onValueChange={(text) => {
          setQuery(text);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        placeholder={t('Go to an activity, page or run')}
        role="combobox"
        aria-label={t('Go to an activity, page or run')}
        aria-expanded
        aria-autocomplete="list"
        aria-controls={list}
        aria-activedescendant={chosen === NO_FOCUS ? undefined : idOf(chosen)}
        autoComplete="off"
        spellCheck={false}
      />
      {failed[0] && (
        <div className="rs-palette-failure">
          <FailureLine
            error={failed[0].error}
            text={t('Some of the data to search could not be loaded.')}
            isRetrying={failed.some(({ isFetching }) => isFetching)}
            onRetry={() => failed.forEach(({ refetch }) => void refetch())}
          />
        </div>
      )}
      <PaletteList
        id={list}
        groups={groups}
        isComplete={failed.length === 0}
        chosen={chosen}
        idOf={idOf}
        onPoint={setAt}
        onChoose={(item, runs) => choose(item, runs)}
      />
      <p className="rs-palette-hint rs-muted" aria-hidden="true">
        {rich('<kbd>Enter</kbd> opens, <kbd>Ctrl Enter</kbd> opens the run form', {
          kbd: <kbd />,
        })}
      </p>
      <p className="rs-visually-hidden" role="status">
        {t('{itemsCount, plural, one {1 result} other {# results}}', { itemsCount: items.length })}
      </p>
    </>
  );
}

/** Returns the list index that a key leads to; null for keys that belong to the field. */
function movedTo(key: string, from: number, count: number): number | null {
  if (count === 0) return null;
  if (key === 'ArrowDown') return (from + 1) % count;
  if (key === 'ArrowUp') return (from + count - 1) % count;
  if (key === 'PageDown') return Math.min(from + PAGE, count - 1);
  if (key === 'PageUp') return Math.max(from - PAGE, 0);
  return null;
}
