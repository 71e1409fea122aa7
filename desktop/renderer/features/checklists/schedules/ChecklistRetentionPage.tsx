import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import {
  checklistRetention,
  deleteChecklistRetention,
  updateChecklistRetention,
  type ChecklistRetention,
} from '#shared/contract/checklist-purge.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { FETCHED_ONCE } from '#renderer/ui/query/FetchedOnce.tsx';
import type { RetentionOwner } from '#renderer/features/retention/RetentionForm.tsx';
import { RetentionScreen } from '#renderer/features/retention/RetentionScreen.tsx';
import { t } from '#renderer/language/translate.ts';

/** /checklists/runretention/edit/{id} */
export function ChecklistRetentionPage() {
  const id = Number(useParams()['id']);
  const query = useQuery({ ...queryOf(checklistRetention, { params: { id } }), ...FETCHED_ONCE });
  return <RetentionScreen title={t('Checklist run retention')} query={query} ownerOf={ownerOf} />;
}

const periodsOf = ({ RunRetention }: Pick<ChecklistRetention, 'RunRetention'>) => ({
  RunRetention,
  RunDataRetention: null,
  RunInputsRetention: null,
});

function ownerOf({ ChecklistId, ChecklistName, ...stored }: ChecklistRetention): RetentionOwner {
  const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(checklistRetention) });
  return {
    name: ChecklistName,
    path: `/checklists/edit/${ChecklistId}/`,
    key: `checklist-retention-days.${ChecklistId}`,
    text: t(
      'Number of days that a run is retained after it ends. A run is deleted as a whole, with the runs of its steps and their values and files, regardless of the retention of the activities. If you leave this empty, runs are retained forever.',
    ),
    helpers: { RunRetention: t('A run that another run resumes is retained as long as that run') },
    periods: periodsOf(stored),
    Revision: stored.Revision,
    read: async () => {
      const now = await call(checklistRetention, { params: { id: ChecklistId } });
      return { ...periodsOf(now), Revision: now.Revision };
    },
    save: async ({ RunRetention, Revision }) => {
      await call(updateChecklistRetention, { body: { ChecklistId, RunRetention, Revision } });
      await refresh();
    },
    remove: async () => {
      await call(deleteChecklistRetention, { params: { id: ChecklistId } });
      await refresh();
    },
  };
}
