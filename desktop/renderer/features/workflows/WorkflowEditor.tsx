import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { EditorViews } from './EditorViews.tsx';
import { SaveCard } from './SaveCard.tsx';
import { useSaveWorkflow } from './use-save-workflow.ts';
import { useWorkflowDraft, type EditedWorkflow } from './use-workflow-draft.ts';
import { useWorkflowProblems } from './use-workflow-problems.ts';

interface WorkflowEditorProps {
  workflow: EditedWorkflow;
  isReadOnly: boolean;
}

/** Editor for a stored workflow. Each save creates its next version. */
export function WorkflowEditor({ workflow, isReadOnly }: WorkflowEditorProps) {
  const draft = useWorkflowDraft(workflow, isReadOnly);
  const state = useWorkflowProblems(workflow, draft.graph);
  const saving = useSaveWorkflow(workflow, draft);
  const { graph } = draft;
  return (
    <div className="rs-workflow-editor">
      <LeaveWarning isUnsaved={draft.isUnsaved} onLeave={draft.discard} />
      <EditorViews draft={draft} state={state} isReadOnly={isReadOnly} />
      {!isReadOnly && (
        <SaveCard
          saving={saving}
          version={draft.version}
          isUnsaved={draft.isUnsaved}
          onSave={() => void saving.save(graph)}
          onSaveOverNewer={() => void saving.saveOverNewer(graph)}
        />
      )}
    </div>
  );
}
