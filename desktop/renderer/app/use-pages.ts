import { PAGES, type PortalPage } from './pages.ts';
import { useProfile } from './profile.ts';

/** The pages this person may open. */
export function usePages(): PortalPage[] {
  const profile = useProfile();
  return PAGES.filter((page) => {
    const rights = [page.right ?? []].flat();
    if (rights.length > 0 && !rights.some((right) => profile?.Rights[right] === true)) return false;
    if (page.isForUserAdmins && !profile?.IsUserAdmin) return false;
    return !page.isForLocalUsers || profile?.Source === 'Local';
  });
}
