import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { versionChanges } from '#shared/contract/version-changes.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { FidelityView } from '#renderer/features/versions/FidelityView.tsx';
import { IncompatibilitiesCallout } from '#renderer/features/versions/VersionChangesView.tsx';
import { useFidelity } from '#renderer/features/versions/use-fidelity.ts';
import { t } from '#renderer/language/translate.ts';
import { readUploaded, type Uploaded } from './upload-state.ts';

/**
 * Report above the list of activities after an upload. It says how far the new workbook's numbers can be trusted before
 * anyone runs it.
 */
export function UploadReport() {
  const { state, search } = useLocation();
  const navigate = useNavigate();
  const uploaded = readUploaded(state);
  if (!uploaded) return null;
  const { id, version, name } = uploaded;
  const close = (): void => void navigate({ search }, { replace: true, state: null });
  return (
    <Card title={t('Fidelity report')}>
      <p>
        <Link to={`/activities/${id}/`}>{name}</Link>
      </p>
      {version > 1 && <Incompatibilities {...uploaded} />}
      <Report {...uploaded} />
      <div className="rs-form-actions">
        <LinkButton to={`/activities/run/${id}/`} intent="primary" text={t('Run Now')} />
        {version > 1 && (
          <LinkButton to={`/activities/versions/${id}/changes/${version - 1}/${version}`} text={t('What changed')} />
        )}
        <Button text={t('Close')} aria-label={t('Close the report')} onClick={close} />
      </div>
    </Card>
  );
}

/** Lists the incompatibilities between the new version and the items that refer to the activity. */
function Incompatibilities({ id, version }: Uploaded) {
  const params = { id, from: version - 1, to: version };
  const query = useQuery(queryOf(versionChanges, { params }));
  if (query.data) return <IncompatibilitiesCallout incompatibilities={query.data.Misfits} />;
  return (
    <FetchFailure
      query={query}
      text={t('The list of settings that no longer fit the new version could not be loaded.')}
    />
  );
}

function Report({ id, version }: Uploaded) {
  const { data, error, refetch } = useFidelity(id, version);
  if (data) return <FidelityView report={data} />;
  return error ? <FailureState error={error} onRetry={() => void refetch()} /> : <Skeleton kind="grid" />;
}
