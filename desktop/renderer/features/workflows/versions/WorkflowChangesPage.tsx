import { HTMLSelect } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from 'react-router-dom';
import { compareWorkflows, workflowVersions, type WorkflowVersionItem } from '#shared/contract/workflows.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { workflowVersionsPath } from '#renderer/features/checklists/checklist-menu.tsx';
import { changeText } from '#renderer/features/versions/change-description.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { FormField } from '#renderer/ui/FormField.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { ChangesTable } from './ChangesTable.tsx';
import '../workflows.css';

/** /workflows/versions/{id}/changes/{from}/{to} */
export function WorkflowChangesPage() {
  const params = useParams();
  const [id, from, to] = [Number(params['id']), Number(params['from']), Number(params['to'])];
  const areNumbers = [id, from, to].every((number) => Number.isSafeInteger(number) && number > 0);
  return areNumbers ? <ChangesPage id={id} from={from} to={to} /> : <NotFoundPage />;
}

function ChangesPage({ id, from, to }: { id: number; from: number; to: number }) {
  const versions = useQuery(queryOf(workflowVersions, { params: { id } }));
  const changes = useQuery(queryOf(compareWorkflows, { params: { id, version: from, other: to } }));
  const navigate = useNavigate();
  const compare = (before: number, after: number): void =>
    void navigate(`${workflowVersionsPath(id)}changes/${before}/${after}/`, { replace: true });
  const list = versions.data?.Versions ?? [];
  return (
    <Page
      title={versions.data ? t('Version changes - {name}', { name: versions.data.Name }) : t('Version changes')}
      actions={<LinkButton to={workflowVersionsPath(id)} text={t('All versions')} />}
    >
      <Card>
        <FetchFailure query={versions} text={t('The list of versions could not be loaded.')} />
        <div className="rs-workflow-compared">
          <VersionField label={t('From')} versions={list} value={from} onChange={(value) => compare(value, to)} />
          <VersionField label={t('To')} versions={list} value={to} onChange={(value) => compare(from, value)} />
        </div>
        <QueryStates query={changes}>{({ Changes }) => <ChangesTable changes={Changes} />}</QueryStates>
      </Card>
    </Page>
  );
}

interface VersionFieldProps {
  label: string;
  versions: readonly WorkflowVersionItem[];
  value: number;
  onChange: (version: number) => void;
}

function VersionField({ label, versions, value, onChange }: VersionFieldProps) {
  return (
    <FormField label={label}>
      {({ id }) => (
        <HTMLSelect id={id} value={value} onChange={(event) => onChange(Number(event.target.value))}>
          {!versions.some(({ Version }) => Version === value) && (
            <option value={value}>{t('Version {value}', { value })}</option>
          )}
          {versions.map(({ Version, ChangeDescription }) => (
            <option key={Version} value={Version}>
              {t('Version {version}', { version: Version })}
              {ChangeDescription !== '' && `: ${changeText(ChangeDescription).slice(0, 60)}`}
            </option>
          ))}
        </HTMLSelect>
      )}
    </FormField>
  );
}
