import type { RouteObject } from 'react-router-dom';
import { page } from './page-route.ts';

/** Pages of checklists and workflows. Paths as the specification of activities names them. */
export const CHECKLISTS: RouteObject[] = [
  page(
    'checklists/new',
    async () => (await import('#renderer/features/checklists/EditChecklistPage.tsx')).NewChecklistPage,
  ),
  page(
    'checklists/edit/:id',
    async () => (await import('#renderer/features/checklists/EditChecklistPage.tsx')).EditChecklistPage,
  ),
];
