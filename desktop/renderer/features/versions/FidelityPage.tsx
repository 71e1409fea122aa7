import { useParams } from 'react-router-dom';
import { useActivityItem } from '#renderer/features/activities/use-activities.ts';
import { t } from '#renderer/language/translate.ts';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { FidelityView } from './FidelityView.tsx';
import { useFidelity } from './use-fidelity.ts';

export function FidelityPage() {
  const params = useParams();
  const id = Number(params['id']);
  const version = Number(params['version']);
  const query = useFidelity(id, version);
  const name = useActivityItem(id)?.Name ?? '';
  return (
    <Page
      title={
        name === ''
          ? t('Fidelity report, version {version}', { version })
          : t('Fidelity report - {name}, version {version}', { name, version })
      }
      actions={<LinkButton to={`/activities/versions/${id}`} text={t('All versions')} />}
    >
      <Card>
        {query.data && <FidelityView report={query.data} />}
        {!query.data && query.error && <FailureState error={query.error} onRetry={() => void query.refetch()} />}
        {!query.data && !query.error && <Skeleton kind="grid" />}
      </Card>
    </Page>
  );
}
