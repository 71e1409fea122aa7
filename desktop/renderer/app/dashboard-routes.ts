import type { RouteObject } from 'react-router-dom';
import { page } from './page-route.ts';

/** Dashboards, and the values of an output over its runs. */
export const DASHBOARDS: RouteObject[] = [
  page('dashboards', async () => (await import('#renderer/features/dashboards/DashboardsPage.tsx')).DashboardsPage),
  page('dashboards/:id', async () => (await import('#renderer/features/dashboards/DashboardPage.tsx')).DashboardPage),
  page(
    'dashboards/edit/:id',
    async () => (await import('#renderer/features/dashboards/EditDashboardPage.tsx')).EditDashboardPage,
  ),
  page(
    'activities/follow/:id/:outputId',
    async () => (await import('#renderer/features/runs/follow/FollowOutputPage.tsx')).FollowOutputPage,
  ),
];
