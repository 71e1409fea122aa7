import { usePluginPages } from '#renderer/features/plugins/use-plugin-pages.ts';
import { PAGES, type PortalPage } from './pages.ts';
import { useProfile } from './profile.ts';

/** The pages this person may open. */
export function usePages(): PortalPage[] {
  const profile = useProfile();
  const plugins = usePluginPages();
  const own = PAGES.filter((page) => {
    const rights = [page.right ?? []].flat();
    if (rights.length > 0 && !rights.some((right) => profile?.Rights[right] === true)) return false;
    if (page.isForUserAdmins && !profile?.IsUserAdmin) return false;
    return !page.isForLocalUsers || profile?.Source === 'Local';
  });
  return [...own, ...plugins];
}
