import { Button } from '@blueprintjs/core';
import { Calendar, Changes, Cross, Endorsed, Play } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { versionChanges } from '#shared/contract/version-changes.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { FailureState } from '#renderer/ui/states.tsx';
import { FidelityLine } from '#renderer/features/versions/FidelityLine.tsx';
import { fidelityIntent } from '#renderer/features/versions/fidelity-text.ts';
import { FidelityView } from '#renderer/features/versions/FidelityView.tsx';
import { IncompatibilitiesCallout } from '#renderer/features/versions/VersionChangesView.tsx';
import { useFidelity } from '#renderer/features/versions/use-fidelity.ts';
import { t } from '#renderer/language/translate.ts';
import { ShareButton } from '../share/ShareButton.tsx';
import { useMayShare } from '../share/use-may-share.ts';
import { readUploaded, type Uploaded } from './upload-state.ts';
import './next-steps.css';

/**
 * Card above the list of activities after an activity was published: what one does next, and how far the numbers of its
 * workbook can be trusted.
 */
export function UploadReport() {
  const { state, search } = useLocation();
  const navigate = useNavigate();
  const uploaded = readUploaded(state);
  if (!uploaded) return null;
  const { id, version, name, isWorkbook } = uploaded;
  const close = (): void => void navigate({ search }, { replace: true, state: null });
  return (
    <section className="rs-card" aria-label={t('Next steps')}>
      <div className="rs-welcome-head">
        <h2>
          <Link to={`/activities/${id}/`}>{name}</Link>
        </h2>
        <Button
          variant="minimal"
          size="small"
          icon={<Cross />}
          title={t('Close')}
          aria-label={t('Close the next steps')}
          onClick={close}
        />
      </div>
      <NextSteps {...uploaded} />
      {version > 1 && <Incompatibilities {...uploaded} />}
      {isWorkbook && <Report {...uploaded} />}
    </section>
  );
}

function NextSteps({ id, version, name, isWorkbook }: Uploaded) {
  // People edit what they have just published.
  const canShare = useMayShare(true);
  return (
    <div className="rs-next-steps">
      <LinkButton to={`/activities/run/${id}/`} intent="primary" icon={<Play />} text={t('Run it')} />
      {canShare && <ShareButton id={id} name={name} text={t('Share it')} />}
      <LinkButton to={`/activities/schedule/further/${id}`} icon={<Calendar />} text={t('Schedule it')} />
      {isWorkbook && <LinkButton to={`/activities/testbed/${id}`} icon={<Endorsed />} text={t('Test it')} />}
      {version > 1 && (
        <LinkButton
          to={`/activities/versions/${id}/changes/${version - 1}/${version}`}
          icon={<Changes />}
          text={t('What changed')}
        />
      )}
    </div>
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

/** One sentence; the whole report if a value differs, or an output depends on a formula that was not compared. */
function Report({ id, version }: Uploaded) {
  const { data, error, refetch } = useFidelity(id, version);
  if (!data && error) return <FailureState error={error} onRetry={() => void refetch()} />;
  // As high as the sentence that usually follows, so that the list below does not move.
  if (!data) return <p className="rs-fidelity-line rs-muted">{t('Loading…')}</p>;
  const intent = fidelityIntent(data);
  if (intent === 'warning' || intent === 'danger') return <FidelityView report={data} />;
  const findings = data.Findings?.length ?? 0;
  return (
    <>
      <FidelityLine activityId={id} version={version} fidelity={data} />
      {findings > 0 && (
        <p className="rs-next-findings">
          <Link to={`/activities/versions/${id}/${version}/fidelity`}>
            {t('{count, plural, one {# finding} other {# findings}} to look at', { count: findings })}
          </Link>
        </p>
      )}
    </>
  );
}
