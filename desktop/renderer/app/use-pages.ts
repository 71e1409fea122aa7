import { useEffect } from 'react';
import { bridge } from '#renderer/api/bridge.ts';
import { openCount, useOutbox, watchOutbox } from '#renderer/features/outbox/use-outbox.ts';
import { usePluginPages } from '#renderer/features/plugins/use-plugin-pages.ts';
import { useApprovalCount } from '#renderer/features/approvals/use-approval-count.ts';
import { PAGES, type PortalPage } from './pages.ts';
import { useProfile } from './profile.ts';

/** Returns the pages that this user may open. */
export function usePages(): PortalPage[] {
  const profile = useProfile();
  const plugins = usePluginPages();
  const approvals = useApprovalCount();
  const waiting = useOutbox(({ entries }) => openCount(entries));
  useEffect(watchOutbox, []);
  const own = PAGES.filter((page) => {
    const rights = [page.right ?? []].flat();
    if (rights.length > 0 && !rights.some((right) => profile?.Rights[right] === true)) return false;
    if (page.isOfOutbox && !bridge.outbox.isOffered) return false;
    if (page.isForApprovers && !approvals.HasAny) return false;
    if (page.isForUserAdmins && !profile?.IsUserAdmin) return false;
    return !page.isForLocalUsers || profile?.Source === 'Local';
  });
  const counted = own.map((page) => {
    if (page.isOfOutbox) return { ...page, count: waiting };
    return page.isForApprovers ? { ...page, count: approvals.Waiting } : page;
  });
  return [...counted, ...plugins];
}
