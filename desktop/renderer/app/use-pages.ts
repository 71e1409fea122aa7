import { useEffect } from 'react';
import { bridge } from '#renderer/api/bridge.ts';
import { openCount, useOutbox, watchOutbox } from '#renderer/features/outbox/use-outbox.ts';
import { usePluginPages } from '#renderer/features/plugins/use-plugin-pages.ts';
import { useApprovalCount } from '#renderer/features/approvals/use-approval-count.ts';
import { pagesFor } from './pages-for.ts';
import type { PortalPage } from './portal-page.ts';
import { useProfile } from './profile.ts';

/** Returns the pages that this user may open. */
export function usePages(): PortalPage[] {
  const profile = useProfile();
  const plugins = usePluginPages();
  const approvals = useApprovalCount();
  const waiting = useOutbox(({ entries }) => openCount(entries));
  useEffect(watchOutbox, []);
  const own = pagesFor({
    holds: (right) => profile?.Rights[right] === true,
    isUserAdmin: profile?.IsUserAdmin === true,
    isLocal: profile?.Source === 'Local',
    hasApprovals: approvals.HasAny,
    hasOutbox: bridge.outbox.isOffered,
  });
  const counted = own.map((page) => {
    if (page.isOfOutbox) return { ...page, count: waiting };
    return page.isForApprovers ? { ...page, count: approvals.Waiting } : page;
  });
  return [...counted, ...plugins];
}
