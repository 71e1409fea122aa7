import { PAGES, type PortalPage } from './pages.ts';
import { useProfile } from './profile.ts';

/** The pages this person may open. */
export function usePages(): PortalPage[] {
  const profile = useProfile();
  return PAGES.filter((page) => {
    if (page.right !== undefined && profile?.Rights[page.right] !== true) return false;
    return !page.isForLocalUsers || profile?.Source === 'Local';
  });
}
