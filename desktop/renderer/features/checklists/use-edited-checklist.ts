import { useQuery } from '@tanstack/react-query';
import { checklistDetails } from '#shared/contract/checklists.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { FETCHED_ONCE } from '#renderer/ui/query/FetchedOnce.tsx';
import { checklistMenu } from './checklist-menu.tsx';

/**
 * Fetches a checklist for its edit pages, together with the menu. It fetches when the page opens and not later, so that
 * no response overwrites what the user typed.
 * @param skippedEntry the menu entry that leads to the page itself
 */
export function useEditedChecklist(id: number, skippedEntry: 'edit' | 'workflow') {
  const query = useQuery({
    ...queryOf(checklistDetails, { params: { id } }),
    ...FETCHED_ONCE,
    refetchOnReconnect: false,
  });
  const { data } = query;
  const menu = data && checklistMenu({ ...data, IsWorkflow: data.Workflow !== null }, 'Run Now', [skippedEntry]);
  return { query, menu };
}
