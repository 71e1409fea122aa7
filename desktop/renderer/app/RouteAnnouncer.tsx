import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigation } from 'react-router-dom';
import { t } from '#renderer/language/translate.ts';

/**
 * After a change of page the focus goes to its heading, and its title is said: else whoever hears the portal stays on a link of the page
 * before and learns of nothing. A page that puts the focus into a field itself keeps it there.
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
    const isTaken = main?.contains(focused) === true || focused?.closest('[role="dialog"]') != null;
    if (!isTaken) (heading ?? main)?.focus({ preventScroll: true });
    setTitle(document.title);
    // What a page is called is often known only once its data have come.
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
