import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigation } from 'react-router-dom';
import { t } from '#renderer/language/translate.ts';

/**
 * After navigation, moves the focus to the heading of the new page and announces its title. Otherwise the focus of
 * screen reader users would stay on a link of the previous page without notice. If the page focuses a field itself, the
 * focus stays there, and so it does in a dialog or an open menu, which would close.
 */
export function RouteAnnouncer() {
  const { pathname } = useLocation();
  const isLoading = useNavigation().state === 'loading';
  const shown = useRef(pathname);
  const stop = useRef(() => {});
  const [title, setTitle] = useState('');
  useEffect(() => {
    if (isLoading || shown.current === pathname) return;
    shown.current = pathname;
    const main = document.getElementById('main');
    const heading = main?.querySelector<HTMLElement>('h1');
    const focused = document.activeElement;
    const isTaken = main?.contains(focused) === true || focused?.closest('[role="dialog"], [role="menu"]') != null;
    if (!isTaken) (heading ?? main)?.focus({ preventScroll: true });
    setTitle(document.title);
    // The title of a page is often known only after its data has arrived.
    const observer = new MutationObserver(() => setTitle(document.title));
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    stop.current();
    stop.current = () => observer.disconnect();
  }, [pathname, isLoading]);
  useEffect(() => () => stop.current(), []);
  return (
    <div className="rs-visually-hidden" role="status" aria-label={t('Page')}>
      {title}
    </div>
  );
}
