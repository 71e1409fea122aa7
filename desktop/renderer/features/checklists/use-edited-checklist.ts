import { useQuery } from '@tanstack/react-query';
import { checklistDetails } from '#shared/contract/checklists.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { checklistMenu } from './checklist-menu.tsx';

/**
 * Fetches a checklist for its edit pages, together with the menu. It fetches once, so that a later response does not
 * overwrite what the user typed.
 * @param skippedEntry the menu entry that leads to the page itself
 */
export function useEditedChecklist(id: number, skippedEntry: 'edit' | 'workflow') {
  const query = useQuery({
    ...queryOf(checklistDetails, { params: { id } }),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
  });
  const { data } = query;
  const menu = data && checklistMenu({ ...data, IsWorkflow: data.Workflow !== null }, 'Run Now', [skippedEntry]);
  return { query, menu };
}
