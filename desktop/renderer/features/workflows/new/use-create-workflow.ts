import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { createWorkflow } from '#shared/contract/new-workflows.ts';
import type { WorkflowGraphData } from '#shared/contract/workflows.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { workflowPath } from '#renderer/features/checklists/checklist-menu.tsx';
import { t } from '#renderer/language/translate.ts';
import { focusField } from '#renderer/ui/ErrorSummary.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { refreshWorkflow } from '../use-save-workflow.ts';
import type { WorkflowFields } from './new-workflow.ts';
import { NAME_FIELD } from './NewWorkflowFields.tsx';

/** Stores a new workflow and then opens it. A refusal stays visible until the next attempt. */
export function useCreateWorkflow() {
  const [created, setCreated] = useState<number | null>(null);
  const [isCreating, setCreating] = useState(false);
  const [failure, setFailure] = useState<{ message: string | null; attempt: number }>({ message: null, attempt: 0 });
  const navigate = useNavigate();
  useEffect(() => {
    // Navigate only after the saved state is rendered, because the leave warning would block it before.
    if (created !== null) void navigate(workflowPath(created), { replace: true });
  }, [created, navigate]);
  const create = async (fields: WorkflowFields, graph: WorkflowGraphData): Promise<void> => {
    if (isCreating) return;
    setFailure(({ attempt }) => ({ message: null, attempt: attempt + 1 }));
    if (fields.Name.trim() === '') return focusField(NAME_FIELD);
    setCreating(true);
    try {
      const { Id } = await call(createWorkflow, { body: { ...fields, Graph: graph } });
      refreshWorkflow();
      showSuccess(t('Workflow created'));
      setCreated(Id);
    } catch (error) {
      setFailure(({ attempt }) => ({ message: toFailure(error).message, attempt }));
    } finally {
      setCreating(false);
    }
  };
  return { create, isCreating, isCreated: created !== null, ...failure };
}
