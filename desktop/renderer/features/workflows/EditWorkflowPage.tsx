import { Button, Callout } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import type { Checklist } from '#shared/contract/checklists.ts';
import { editAsWorkflow, workflowDetails } from '#shared/contract/workflows.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { useEditedChecklist } from '#renderer/features/checklists/use-edited-checklist.ts';
import { useGoBack } from '#renderer/ui/use-go-back.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { NotAllowed } from '#renderer/features/rights/OwnRights.tsx';
import { refreshWorkflow } from './use-save-workflow.ts';
import { WorkflowEditor } from './WorkflowEditor.tsx';

/** /workflows/edit/{checklistId} */
export function EditWorkflowPage() {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? <EditPage key={id} id={id} /> : <NotFoundPage />;
}

function EditPage({ id }: { id: number }) {
  const { query, menu } = useEditedChecklist(id, 'workflow');
  const { data } = query;
  const isWorkflow = data !== undefined && data.Workflow !== null;
  const verb = isWorkflow ? t('Edit workflow') : t('Edit as workflow');
  return (
    <Page title={data ? `${verb} - ${data.Name}` : t('Edit workflow')} description={data?.Description} menu={menu}>
      <QueryStates query={query} kind="form">
        {(checklist) => {
          if (!checklist.CanEdit) return <NotAllowed right="sk.EditChecklist" of={{ ChecklistId: id }} />;
          if (checklist.Workflow === null) return <BecomeWorkflow checklist={checklist} />;
          return <Newest id={id} />;
        }}
      </QueryStates>
    </Page>
  );
}

/** Asks for confirmation, because afterwards the checklist can no longer be edited as one. */
function BecomeWorkflow({ checklist: { Id, Activities } }: { checklist: Checklist }) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ message: string; attempt: number } | null>(null);
  const goBack = useGoBack();
  const make = async (): Promise<void> => {
    setBusy(true);
    try {
      await call(editAsWorkflow, { body: { ChecklistId: Id } });
      refreshWorkflow();
    } catch (error) {
      setFailure((before) => ({ message: toFailure(error).message, attempt: (before?.attempt ?? 0) + 1 }));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card>
      <Callout compact intent="warning">
        {t(
          'As a workflow, its {count, plural, one {# activity} other {# activities}} can run in parallel, pass on outputs, and take another path if one fails. After that, you can no longer change or run it as a checklist. Its runs are retained.',
          { count: Activities.length },
        )}
      </Callout>
      <div className="rs-form-actions">
        <Button intent="primary" text={t('Edit as workflow')} loading={isBusy} onClick={() => void make()} />
        <Button text={t('Back')} onClick={goBack} />
      </div>
      <ErrorSummary title={failure?.message ?? null} attempt={failure?.attempt ?? 0} />
    </Card>
  );
}

/** Fetch once for the editor: a later response must not overwrite what the user edited. */
function Newest({ id }: { id: number }) {
  const query = useQuery({
    ...queryOf(workflowDetails, { params: { id } }),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
  });
  return (
    <QueryStates query={query} kind="form">
      {(workflow) => <WorkflowEditor workflow={workflow} isReadOnly={false} />}
    </QueryStates>
  );
}
