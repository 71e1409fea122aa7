import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { deleteSchedule, schedule, updateSchedule, type ScheduleDetails } from '#shared/contract/schedules.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { FETCHED_ONCE, FetchedOnce } from '#renderer/ui/query/FetchedOnce.tsx';
import { ScheduleForm, type ScheduleOwner } from './ScheduleForm.tsx';

/** /activities/schedule/edit/{activityId} */
export function SchedulePage() {
  const id = Number(useParams()['activityId']);
  const query = useQuery({ ...queryOf(schedule, { params: { id } }), ...FETCHED_ONCE });
  return (
    <Page title={t('Activity Scheduler')} description={query.data?.ActivityName} narrow>
      <FetchedOnce query={query}>
        {(data) =>
          data.CanSchedule || data.Schedule !== null ? (
            <ScheduleForm owner={ownerOf(data)} details={data} />
          ) : (
            <EmptyState title={t('This activity cannot be scheduled')}>
              {t('It has inputs that someone must fill in. Give them preset values, or defaults in the workbook.')}
            </EmptyState>
          )
        }
      </FetchedOnce>
    </Page>
  );
}

function ownerOf({ ActivityId, ActivityName }: ScheduleDetails): ScheduleOwner {
  const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(schedule) });
  return {
    name: ActivityName,
    path: `/activities/edit/${ActivityId}/`,
    key: `schedule.${ActivityId}`,
    read: () => call(schedule, { params: { id: ActivityId } }),
    save: async (plan) => {
      await call(updateSchedule, { body: { ActivityId, ...plan } });
      await refresh();
    },
    remove: async () => {
      await call(deleteSchedule, { params: { id: ActivityId } });
      await refresh();
    },
  };
}
