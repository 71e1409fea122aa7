import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { runRetention } from '#shared/contract/schedules.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { RetentionForm } from './RetentionForm.tsx';

/** /activities/runretention/edit/{activityId} */
export function RetentionPage() {
  const id = Number(useParams()['activityId']);
  // Fetched once for the form: what one types must not be replaced by a later answer.
  const query = useQuery({ ...queryOf(runRetention, { params: { id } }), staleTime: Infinity, gcTime: 0 });
  const { data, error, refetch } = query;
  return (
    <Page title={t('Activity Run Retention')} description={data?.ActivityName} narrow>
      <Card>
        {data && <RetentionForm details={data} />}
        {!data && error && <FailureState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton kind="form" />}
      </Card>
    </Page>
  );
}
