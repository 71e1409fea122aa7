import type { MouseEvent } from 'react';
import { useHref, useNavigate, type To } from 'react-router-dom';

/**
 * Returns href and onClick of a link inside the portal: a plain click uses the router, any other click is left to the
 * browser.
 */
export function useRouterLink(to: To): { href: string; onClick: (event: MouseEvent<HTMLElement>) => void } {
  const href = useHref(to);
  const navigate = useNavigate();
  return {
    href,
    onClick: (event) => {
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      void navigate(to);
    },
  };
}
