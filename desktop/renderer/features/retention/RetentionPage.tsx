import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import {
  deleteRunRetention,
  runRetention,
  updateRunRetention,
  type RetentionDetails,
} from '#shared/contract/schedules.ts';
import type { RetentionField } from '#shared/rules/retention-rules.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { FETCHED_ONCE } from '#renderer/ui/query/FetchedOnce.tsx';
import type { RetentionOwner } from './RetentionForm.tsx';
import { RetentionScreen } from './RetentionScreen.tsx';

/** /activities/runretention/edit/{activityId} */
export function RetentionPage() {
  const id = Number(useParams()['activityId']);
  const query = useQuery({ ...queryOf(runRetention, { params: { id } }), ...FETCHED_ONCE });
  return <RetentionScreen title={t('Activity Run Retention')} query={query} ownerOf={ownerOf} />;
}

const HELPERS: Record<RetentionField, string> = {
  RunRetention: t('Entire runs with all their data'),
  RunDataRetention: t('Outputs and output files'),
  RunInputsRetention: t('Inputs and input files; without them a run cannot be retried'),
};

function ownerOf({ ActivityId, ActivityName, ...details }: RetentionDetails): RetentionOwner {
  const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(runRetention) });
  return {
    name: ActivityName,
    path: `/activities/edit/${ActivityId}/`,
    key: `retention.${ActivityId}`,
    text: t(
      'Number of days after the end of a run. If you leave a field empty, that data is retained forever. Runs that are steps of a checklist or workflow are deleted with its run, according to its retention. Until then they are retained, with the data that a checklist needs to resume.',
    ),
    helpers: HELPERS,
    periods: details,
    Revision: details.Revision,
    read: () => call(runRetention, { params: { id: ActivityId } }),
    save: async (periods) => {
      await call(updateRunRetention, { body: { ActivityId, ...periods } });
      await refresh();
    },
    remove: async () => {
      await call(deleteRunRetention, { params: { id: ActivityId } });
      await refresh();
    },
  };
}
