import { Button } from '@blueprintjs/core';
import { useCallback, useMemo, useState } from 'react';
import { copyWorkflow, type WorkflowCopy } from '#shared/contract/new-workflows.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';
import { showError } from '#renderer/ui/toaster.tsx';
import { useGoBack } from '#renderer/ui/use-go-back.ts';
import { EditorViews } from '../EditorViews.tsx';
import { useWorkflowDraft } from '../use-workflow-draft.ts';
import { useWorkflowProblems } from '../use-workflow-problems.ts';
import { newFields, startOf, withCopied, type WorkflowFields } from './new-workflow.ts';
import { NewWorkflowFields } from './NewWorkflowFields.tsx';
import { useCreateWorkflow } from './use-create-workflow.ts';

interface NewWorkflowEditorProps {
  /** Id of the workflow or checklist that it starts from; null for none. */
  copyOf: number | null;
  /** What the workflow starts from; null for nothing. */
  copy: WorkflowCopy | null;
  /** Schemas in which the user may create workflows. */
  schemas: readonly [string, ...string[]];
}

/** Editor for a workflow that is not stored before its first save. */
export function NewWorkflowEditor({ copyOf, copy, schemas }: NewWorkflowEditorProps) {
  const [first] = useState(() => ({ fields: newFields(copy, schemas), workflow: startOf(copy) }));
  const [fields, setFields] = useState(first.fields);
  const creating = useCreateWorkflow();
  const { isCreated, attempt, message } = creating;
  const hasNewFields = useMemo(() => JSON.stringify(fields) !== JSON.stringify(first.fields), [fields, first]);
  const draft = useWorkflowDraft(first.workflow, isCreated, {
    name: copyOf === null ? 'new' : `copy.${copyOf}`,
    value: fields,
    isUnsaved: hasNewFields && !isCreated,
    restore: setFields,
  });
  const state = useWorkflowProblems(first.workflow, draft.graph);
  const goBack = useGoBack();
  const write = useCallback((change: Partial<WorkflowFields>) => setFields((old) => ({ ...old, ...change })), []);
  const isUnnamed = attempt > 0 && fields.Name.trim() === '';
  const copySteps = async (id: number): Promise<void> => {
    try {
      const found = await call(copyWorkflow, { params: { id } });
      for (const activity of found.Activities) draft.know(activity);
      draft.change(() => found.Graph);
      setFields((old) => withCopied(old, found, schemas));
    } catch (error) {
      showError(toFailure(error).message);
    }
  };
  return (
    <div className="rs-workflow-editor">
      <LeaveWarning isUnsaved={draft.isUnsaved} onLeave={draft.discard} />
      <NewWorkflowFields
        fields={fields}
        write={write}
        schemas={schemas}
        nameIssue={isUnnamed ? t('Workflow name must be provided.') : null}
        onCopy={copySteps}
      />
      <EditorViews draft={draft} state={state} isReadOnly={false} />
      <section className="rs-workflow-save" aria-label={t('Save')}>
        <ErrorSummary title={message} attempt={attempt} />
        <div className="rs-form-actions">
          <ServerButton
            intent="primary"
            text={t('Create workflow')}
            loading={creating.isCreating}
            onClick={() => void creating.create(fields, draft.graph)}
          />
          <Button text={t('Back')} onClick={goBack} />
        </div>
      </section>
    </div>
  );
}
