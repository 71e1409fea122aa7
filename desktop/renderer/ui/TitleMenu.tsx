import { Button, MenuItem, PopoverNext, type Intent } from '@blueprintjs/core';
import { ChevronDown, More } from '@blueprintjs/icons';
import { useRef, useState, type JSX } from 'react';
import type { To } from 'react-router-dom';
import { useServerReason } from '#renderer/api/connection.ts';
import { KeyMenu } from './KeyMenu.tsx';
import { useRouterLink } from './use-router-link.ts';

export interface MenuEntry {
  text: string;
  icon?: JSX.Element;
  /** Path of a portal page, relative to the base path: '/activities/'. */
  to?: To;
  onSelect?: () => void;
  disabled?: boolean;
  intent?: Intent;
}

/** Entries of a menu. Those with `to` are links, so that they can be opened in a new tab. */
export function MenuEntries({ entries }: { entries: readonly MenuEntry[] }) {
  const reason = useServerReason();
  return (
    <KeyMenu>
      {entries.map((entry) =>
        entry.to === undefined ? (
          <MenuItem
            key={entry.text}
            text={entry.text}
            icon={entry.icon}
            intent={entry.intent}
            disabled={entry.disabled || reason !== undefined}
            title={reason}
            onClick={entry.onSelect}
          />
        ) : (
          <LinkEntry key={entry.text} entry={entry} to={entry.to} />
        ),
      )}
    </KeyMenu>
  );
}

function LinkEntry({ entry, to }: { entry: MenuEntry; to: To }) {
  const link = useRouterLink(to);
  return <MenuItem text={entry.text} icon={entry.icon} intent={entry.intent} disabled={entry.disabled} {...link} />;
}

/** The menu beside a page's title. */
export function TitleMenu({ label, entries }: { label: string; entries: readonly MenuEntry[] }) {
  return (
    <PopoverNext placement="bottom-start" content={<MenuEntries entries={entries} />}>
      <Button variant="minimal" size="small" icon={<ChevronDown />} aria-label={label} aria-haspopup="menu" />
    </PopoverNext>
  );
}

/**
 * The three-dots menu of a tile or row. There may be hundreds, so menu and entries are created only when a menu is
 * first opened.
 */
export function MoreMenu({ label, entries }: { label: string; entries: () => readonly MenuEntry[] }) {
  const [wasOpened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const shared = {
    variant: 'minimal',
    size: 'small',
    icon: <More />,
    'aria-label': label,
    'aria-haspopup': 'menu',
  } as const;
  if (!wasOpened) return <Button {...shared} aria-expanded={false} onClick={() => setOpened(true)} />;
  return (
    <PopoverNext
      defaultIsOpen
      placement="bottom-end"
      content={<MenuEntries entries={entries()} />}
      onClosed={(popover) => {
        // Blueprint would restore the focus to the button that was rendered before the first opening.
        const { activeElement } = document;
        if (activeElement === document.body || popover.contains(activeElement)) button.current?.focus();
      }}
    >
      <Button {...shared} ref={button} />
    </PopoverNext>
  );
}
