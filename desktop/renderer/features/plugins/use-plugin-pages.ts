import { useQuery } from '@tanstack/react-query';
import { listPluginPages } from '#shared/contract/settings.ts';
import { queryOf } from '#renderer/api/queries.ts';
import type { PortalPage } from '#renderer/app/portal-page.ts';
import { useSession } from '#renderer/app/session.ts';

export function usePluginPagesQuery() {
  const isSignedIn = useSession((state) => state.session !== null);
  return useQuery({ ...queryOf(listPluginPages), staleTime: 5 * 60_000, enabled: isSignedIn });
}

/** Returns the pages of other programs that the user may open, for the menu and the command palette. */
export function usePluginPages(): PortalPage[] {
  const found = usePluginPagesQuery().data;
  return (found?.Items ?? []).map(({ name, url }) => ({
    title: name,
    path: `/plugins/${encodeURIComponent(name)}`,
    icon: 'plugin',
    section: 'plugins',
    address: url,
  }));
}
