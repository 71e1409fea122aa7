import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router-dom';
import { startPage } from '#shared/contract/dashboards.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { Skeleton } from '#renderer/ui/states.tsx';

/**
 * Redirects to the user's start dashboard, else to the list of activities. Offline it opens that list, because
 * dashboards are not cached.
 */
export function StartPage() {
  const isReadable = bridge.connection.isReadable();
  const { data, error } = useQuery({ ...queryOf(startPage), retry: false, enabled: !isReadable });
  if (!data && !error && !isReadable) return <Skeleton kind="tiles" />;
  const id = data?.DashboardId ?? null;
  return <Navigate to={id === null ? '/activities/' : `/dashboards/${id}`} replace />;
}
