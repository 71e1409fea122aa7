import { Button } from '@blueprintjs/core';
import { Code, Comparison, Download } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { saveWorkflow, workflowVersionDetails, type Workflow } from '#shared/contract/workflows.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { workflowVersionsPath } from '#renderer/features/checklists/checklist-menu.tsx';
import { changeText } from '#renderer/features/versions/change-description.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { showError, showSuccess } from '#renderer/ui/toaster.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import { refreshWorkflow } from '../use-save-workflow.ts';
import { WorkflowEditor } from '../WorkflowEditor.tsx';
import { exportVersion } from './WorkflowVersionsPage.tsx';

/** /workflows/versions/{id}/{version} */
export function WorkflowVersionPage() {
  const params = useParams();
  const [id, version] = [Number(params['id']), Number(params['version'])];
  const areNumbers = [id, version].every((number) => Number.isSafeInteger(number) && number > 0);
  return areNumbers ? <VersionPage key={`${id} ${version}`} id={id} version={version} /> : <NotFoundPage />;
}

function VersionPage({ id, version }: { id: number; version: number }) {
  const query = useQuery(queryOf(workflowVersionDetails, { params: { id, version } }));
  const { data } = query;
  return (
    <Page
      title={data ? data.Name : t('Workflow')}
      number={t('Version {version}', { version })}
      description={data && <About workflow={data} />}
      actions={<LinkButton to={workflowVersionsPath(id)} text={t('All versions')} />}
    >
      <QueryStates query={query} kind="form">
        {(workflow) => (
          <>
            <VersionTools workflow={workflow} />
            <WorkflowEditor workflow={workflow} isReadOnly />
          </>
        )}
      </QueryStates>
    </Page>
  );
}

function About({ workflow: { Modified, UserFullName, ChangeDescription } }: { workflow: Workflow }) {
  return (
    <>
      {rich('Saved {modified} by {userFullName}{changeDescription}', {
        modified: <DateText value={Modified} />,
        userFullName: UserFullName,
        changeDescription: ChangeDescription !== '' && `: ${changeText(ChangeDescription)}`,
      })}
    </>
  );
}

/** Actions for a version: the newest one runs, and an older one can become the newest. */
function VersionTools({ workflow }: { workflow: Workflow }) {
  const { Id, Version, NewestVersion, CanEdit, Graph } = workflow;
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const navigate = useNavigateWhileHere();
  const isNewest = Version === NewestVersion;
  const rollBack = async (): Promise<void> => {
    setBusy(true);
    try {
      const ChangeDescription = t('Rolled back to version {version}', { version: Version });
      const saved = await call(saveWorkflow, { body: { Id, Version: NewestVersion, Graph, ChangeDescription } });
      refreshWorkflow();
      showSuccess(t('Saved as version {version}', { version: saved.Version }));
      await navigate(workflowVersionsPath(Id));
    } catch (error) {
      showError(toFailure(error).message);
    } finally {
      setBusy(false);
      setAsked(false);
    }
  };
  return (
    <div className="rs-workflow-tools">
      {!isNewest && CanEdit && <Button text={t('Roll back to this version')} onClick={() => setAsked(true)} />}
      {!isNewest && (
        <LinkButton
          icon={<Comparison />}
          text={t('Changes since then')}
          to={`${workflowVersionsPath(Id)}changes/${Version}/${NewestVersion}/`}
        />
      )}
      <Button icon={<Download />} text={t('Export')} onClick={() => exportVersion(Id, Version)} />
      <Button icon={<Code />} text={t('Export as YAML')} onClick={() => exportVersion(Id, Version, 'yaml')} />
      <ConfirmDialog
        isOpen={isAsked}
        title={t('Roll back')}
        confirmText={t('Roll back')}
        isBusy={isBusy}
        onConfirm={() => void rollBack()}
        onCancel={() => setAsked(false)}
      >
        {t('Version {version} is saved again as version {newestVersion}. The versions in between are retained.', {
          version: Version,
          newestVersion: NewestVersion + 1,
        })}
      </ConfirmDialog>
    </div>
  );
}
