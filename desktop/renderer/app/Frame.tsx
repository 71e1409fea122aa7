import { useEffect, useState, useSyncExternalStore, type MouseEvent, type ReactNode } from 'react';
import { Outlet, useLocation, useNavigation } from 'react-router-dom';
import { useLiveStream } from '#renderer/features/live/use-live-stream.ts';
import { useNotices } from '#renderer/features/notifications/use-notices.ts';
import { ConnectionBar } from '#renderer/features/offline/ConnectionBar.tsx';
import { MaintenanceBar } from '#renderer/features/system/MaintenanceBar.tsx';
import { followPerson } from '#renderer/language/language.ts';
import { t } from '#renderer/language/translate.ts';
import { TitleMenuContext } from '#renderer/ui/Page.tsx';
import { TitleMenu, type MenuEntry } from '#renderer/ui/TitleMenu.tsx';
import { ObjectFrame } from './objects/ObjectFrame.tsx';
import { CommandPaletteHost } from './palette/CommandPaletteHost.tsx';
import { useProfile } from './profile.ts';
import { RouteAnnouncer } from './RouteAnnouncer.tsx';
import { recordActivity } from './session.ts';
import { FrameFailures } from './FrameFailures.tsx';
import { SessionEnding } from './SessionEnding.tsx';
import { SectionTabs } from './SectionTabs.tsx';
import { SideMenu } from './SideMenu.tsx';
import { TopBar } from './TopBar.tsx';
import { useDraftKey } from './use-draft-key.ts';
import './app.css';

/** Top bar and side menu around every page of a signed-in user. */
export function Frame({ children }: { children?: ReactNode }) {
  const { pathname } = useLocation();
  useLiveStream();
  useNotices();
  useDraftKey();
  const { Language, Region } = useProfile() ?? {};
  useEffect(() => {
    if (Language !== undefined && Region !== undefined) followPerson({ Language, Region });
  }, [Language, Region]);
  const isWide = useSyncExternalStore(onWidthChange, () => wide.matches);
  const [menu, setMenu] = useState({ isOpen: isWide, path: pathname, isOver: false });
  const isLoading = useNavigation().state === 'loading';
  // On small screens the menu overlays the page and closes when a page is chosen. If a window becomes small or a tablet
  // is turned, a menu that was open beside the page must not cover it.
  const isMenuOpen = menu.isOpen && (isWide || (menu.isOver && menu.path === pathname));
  const setMenuOpen = (isOpen: boolean): void => setMenu({ isOpen, path: pathname, isOver: !isWide });

  return (
    <div className="rs-frame" onClickCapture={recordActivity} onKeyDownCapture={recordActivity}>
      <a className="rs-skip" href="#main" onClick={focusMain}>
        {t('Skip to content')}
      </a>
      <TopBar isMenuOpen={isMenuOpen} onToggleMenu={() => setMenuOpen(!isMenuOpen)} />
      <div className={isLoading ? 'rs-loading rs-loading-on' : 'rs-loading'} aria-hidden="true" />
      <div className="rs-frame-body">
        {isMenuOpen && <SideMenu />}
        {isMenuOpen && <div className="rs-side-shade" aria-hidden="true" onClick={() => setMenuOpen(false)} />}
        <main id="main" tabIndex={-1}>
          <SessionEnding />
          <ConnectionBar />
          <MaintenanceBar />
          <FrameFailures />
          <SectionTabs />
          <TitleMenuContext value={drawTitleMenu}>
            <ObjectFrame>{children ?? <Outlet />}</ObjectFrame>
          </TitleMenuContext>
        </main>
      </div>
      <RouteAnnouncer />
      <CommandPaletteHost />
    </div>
  );
}

const drawTitleMenu = (label: string, entries: readonly MenuEntry[]): ReactNode => (
  <TitleMenu label={label} entries={entries} />
);

const wide = window.matchMedia('(min-width: 900px)');

function onWidthChange(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

function focusMain(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
