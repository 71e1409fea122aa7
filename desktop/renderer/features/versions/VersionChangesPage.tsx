import { HTMLSelect } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router-dom';
import { activityVersions, type VersionItem } from '#shared/contract/versions.ts';
import { versionChanges } from '#shared/contract/version-changes.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { changeText } from '#renderer/features/versions/change-description.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { FormField } from '#renderer/ui/FormField.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { VersionChangesView } from './VersionChangesView.tsx';
import './versions.css';

/** /activities/versions/{id}/changes/{from}/{to} */
export function VersionChangesPage() {
  const params = useParams();
  const [id, from, to] = [Number(params['id']), Number(params['from']), Number(params['to'])];
  const versions = useQuery(queryOf(activityVersions, { params: { id } }));
  const changes = useQuery(queryOf(versionChanges, { params: { id, from, to } }));
  const navigate = useNavigate();
  const compare = (before: number, after: number): void =>
    void navigate(`/activities/versions/${id}/changes/${before}/${after}`, { replace: true });
  const list = versions.data?.Versions ?? [];
  return (
    <Page
      title={versions.data ? t('Version changes - {name}', { name: versions.data.Name }) : t('Version changes')}
      actions={<LinkButton to={`/activities/versions/${id}`} text={t('All versions')} />}
    >
      <Card>
        <FetchFailure query={versions} text={t('The list of versions could not be loaded.')} />
        <div className="rs-compared">
          <VersionField label={t('From')} versions={list} value={from} onChange={(value) => compare(value, to)} />
          <VersionField label={t('To')} versions={list} value={to} onChange={(value) => compare(from, value)} />
        </div>
        {changes.data && <VersionChangesView changes={changes.data} />}
        {!changes.data && changes.error && (
          <FailureState error={changes.error} onRetry={() => void changes.refetch()} />
        )}
        {!changes.data && !changes.error && <Skeleton kind="grid" />}
      </Card>
    </Page>
  );
}

interface VersionFieldProps {
  label: string;
  versions: readonly VersionItem[];
  value: number;
  onChange: (version: number) => void;
}

function VersionField({ label, versions, value, onChange }: VersionFieldProps) {
  return (
    <FormField label={label}>
      {(field) => (
        <HTMLSelect {...field} value={value} onChange={(event) => onChange(Number(event.target.value))}>
          {!versions.some(({ Version }) => Version === value) && (
            <option value={value}>{t('Version {value}', { value })}</option>
          )}
          {versions.map(({ Version, ChangeDescription }) => (
            <option key={Version} value={Version}>
              {t('Version {version}', { version: Version })}
              {ChangeDescription !== '' && `: ${shortened(changeText(ChangeDescription))}`}
            </option>
          ))}
        </HTMLSelect>
      )}
    </FormField>
  );
}

const MAX_OPTION_LENGTH = 60;

const shortened = (text: string): string =>
  text.length > MAX_OPTION_LENGTH ? `${text.slice(0, MAX_OPTION_LENGTH)}…` : text;
