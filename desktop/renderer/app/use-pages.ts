import { usePluginPages } from '#renderer/features/plugins/use-plugin-pages.ts';
import { useApprovalCount } from '#renderer/features/approvals/use-approval-count.ts';
import { PAGES, type PortalPage } from './pages.ts';
import { useProfile } from './profile.ts';

/** The pages this person may open. */
export function usePages(): PortalPage[] {
  const profile = useProfile();
  const plugins = usePluginPages();
  const approvals = useApprovalCount();
  const own = PAGES.filter((page) => {
    const rights = [page.right ?? []].flat();
    if (rights.length > 0 && !rights.some((right) => profile?.Rights[right] === true)) return false;
    if (page.isForApprovers && !approvals.HasAny) return false;
    if (page.isForUserAdmins && !profile?.IsUserAdmin) return false;
    return !page.isForLocalUsers || profile?.Source === 'Local';
  });
  return [...own.map((page) => (page.isForApprovers ? { ...page, count: approvals.Waiting } : page)), ...plugins];
}
