import { useEffect } from 'react';
import type { RightName } from '#shared/contract/rights.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { openCount, useOutbox, watchOutbox } from '#renderer/features/outbox/use-outbox.ts';
import { usePluginPages } from '#renderer/features/plugins/use-plugin-pages.ts';
import { useApprovalCount } from '#renderer/features/approvals/use-approval-count.ts';
import { ADMINISTRATION_PATH, PAGES } from './pages.ts';
import type { PortalPage } from './portal-page.ts';
import { useProfile } from './profile.ts';

/** Returns the pages that this user may open. */
export function usePages(): PortalPage[] {
  const profile = useProfile();
  const plugins = usePluginPages();
  const approvals = useApprovalCount();
  const waiting = useOutbox(({ entries }) => openCount(entries));
  useEffect(watchOutbox, []);
  const holds = (rights: readonly RightName[]): boolean => rights.some((right) => profile?.Rights[right] === true);
  const holdsMenuRight = (page: PortalPage): boolean => page.menuRight === undefined || holds(page.menuRight);
  const own = PAGES.filter((page) => {
    if (page.right !== undefined && !holds([page.right].flat())) return false;
    if (page.isOfOutbox && !bridge.outbox.isOffered) return false;
    if (page.isForApprovers && !approvals.HasAny) return false;
    if (page.isForUserAdmins && !profile?.IsUserAdmin) return false;
    return !page.isForLocalUsers || profile?.Source === 'Local';
  });
  const isAdministered = own.some((page) => page.group !== undefined && holdsMenuRight(page));
  const listed = own.filter((page) => isAdministered || page.path !== ADMINISTRATION_PATH);
  const counted = listed.map((page) => {
    if (!holdsMenuRight(page)) return { ...page, section: undefined, group: undefined };
    if (page.isOfOutbox) return { ...page, count: waiting };
    return page.isForApprovers ? { ...page, count: approvals.Waiting } : page;
  });
  return [...counted, ...plugins];
}
