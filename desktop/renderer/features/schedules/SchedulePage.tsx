import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { deleteSchedule, schedule, updateSchedule, type ScheduleDetails } from '#shared/contract/schedules.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { ScheduleForm, type ScheduleOwner } from './ScheduleForm.tsx';

/** /activities/schedule/edit/{activityId} */
export function SchedulePage() {
  const id = Number(useParams()['activityId']);
  // Fetched once for the form: what one types must not be replaced by a later answer.
  const query = useQuery({ ...queryOf(schedule, { params: { id } }), staleTime: Infinity, gcTime: 0 });
  const { data, error, refetch } = query;
  return (
    <Page title={t('Activity Scheduler')} description={data?.ActivityName} narrow>
      {data && (data.CanSchedule || data.Schedule !== null) && <ScheduleForm owner={ownerOf(data)} details={data} />}
      {data && !data.CanSchedule && data.Schedule === null && (
        <EmptyState title={t('This activity cannot be scheduled')}>
          {t('It has inputs that somebody has to fill in. Give them preset values, or defaults in the workbook.')}
        </EmptyState>
      )}
      {!data && error && <FailureState error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Card>
          <Skeleton kind="form" />
        </Card>
      )}
    </Page>
  );
}

function ownerOf({ ActivityId, ActivityName }: ScheduleDetails): ScheduleOwner {
  const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(schedule) });
  return {
    name: ActivityName,
    path: `/activities/edit/${ActivityId}/`,
    key: `schedule.${ActivityId}`,
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
