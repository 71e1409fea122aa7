import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import {
  checklistSchedule,
  deleteChecklistSchedule,
  updateChecklistSchedule,
  type ChecklistScheduleDetails,
} from '#shared/contract/checklist-schedules.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { FETCHED_ONCE, FetchedOnce } from '#renderer/ui/query/FetchedOnce.tsx';
import { ScheduleForm, type ScheduleOwner } from '#renderer/features/schedules/daily/ScheduleForm.tsx';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';

/** /checklists/schedule/edit/{id} */
export function ChecklistSchedulePage() {
  const id = Number(useParams()['id']);
  const query = useQuery({ ...queryOf(checklistSchedule, { params: { id } }), ...FETCHED_ONCE });
  return (
    <Page title={t('Checklist scheduler')} description={query.data?.ChecklistName} narrow>
      <FetchedOnce query={query}>
        {(data) =>
          data.CanSchedule || data.Schedule !== null ? (
            <>
              <p className="rs-muted">
                {t(
                  'A scheduled run is skipped while the previous run is still running; the run history shows this. A retry resumes only what did not succeed.',
                )}
              </p>
              <ScheduleForm owner={ownerOf(data)} details={data} />
            </>
          ) : (
            <EmptyState title={t('This checklist cannot be scheduled')}>
              {t('It has inputs that someone must fill in. Give them preset values, or defaults in the workbooks.')}
            </EmptyState>
          )
        }
      </FetchedOnce>
    </Page>
  );
}

function ownerOf({ ChecklistId, ChecklistName }: ChecklistScheduleDetails): ScheduleOwner {
  const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(checklistSchedule) });
  return {
    name: ChecklistName,
    path: `/checklists/edit/${ChecklistId}/`,
    key: `checklist-schedule.${ChecklistId}`,
    read: () => call(checklistSchedule, { params: { id: ChecklistId } }),
    save: async (plan) => {
      await call(updateChecklistSchedule, { body: { ChecklistId, ...plan } });
      await refresh();
    },
    remove: async () => {
      await call(deleteChecklistSchedule, { params: { id: ChecklistId } });
      await refresh();
    },
  };
}
