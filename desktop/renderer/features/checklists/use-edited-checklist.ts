import { useQuery } from '@tanstack/react-query';
import { checklistDetails } from '#shared/contract/checklists.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { checklistMenu } from './checklist-menu.tsx';

/**
 * A checklist as its pages of editing begin with it: fetched once, as what one types must not be replaced by a later answer, with the menu of its page.
 * @param leftOut the entry that leads to the page itself
 */
export function useEditedChecklist(id: number, leftOut: 'edit' | 'workflow') {
  const query = useQuery({
    ...queryOf(checklistDetails, { params: { id } }),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
  });
  const { data } = query;
  const menu = data && checklistMenu({ ...data, IsWorkflow: data.Workflow !== null }, 'Run Now', [leftOut]);
  return { query, menu };
}
