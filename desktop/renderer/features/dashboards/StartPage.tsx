import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router-dom';
import { startPage } from '#shared/contract/dashboards.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { Skeleton } from '#renderer/ui/states.tsx';

/** The dashboard that the person begins with, else the list of activities. */
export function StartPage() {
  const { data, error } = useQuery({ ...queryOf(startPage), retry: false });
  if (!data && !error) return <Skeleton kind="tiles" />;
  const id = data?.DashboardId ?? null;
  return <Navigate to={id === null ? '/activities/' : `/dashboards/${id}`} replace />;
}
