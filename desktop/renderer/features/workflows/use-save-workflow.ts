import { useState } from 'react';
import { checklistDetails } from '#shared/contract/checklists.ts';
import {
  compareWorkflows,
  saveWorkflow,
  workflowDetails,
  workflowVersionDetails,
  workflowVersions,
  type Workflow,
  type WorkflowChange,
  type WorkflowGraphData,
} from '#shared/contract/workflows.ts';
import { compareGraphs } from '#shared/rules/workflows/compare-graphs.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { refreshActivities } from '#renderer/features/activities/use-activities.ts';
import { refreshChecklists } from '#renderer/features/run-form/checklist-form-calls.ts';
import { t } from '#renderer/language/translate.ts';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { createWorkflowSender } from './send-workflow.ts';
import type { WorkflowDraft } from './use-workflow-draft.ts';

export interface SaveWorkflow {
  description: string;
  setDescription: (text: string) => void;
  isSaving: boolean;
  /** The server's last message; null if there is none. */
  failure: string | null;
  /** Number of failed attempts. */
  attempt: number;
  newer: NewerVersion | null;
  save: (graph: WorkflowGraphData) => Promise<void>;
  /** Saves the graph as the successor of the version that someone else saved. */
  saveOverNewer: (graph: WorkflowGraphData) => Promise<void>;
  /** Continues with the version that someone else saved. Undo brings the user's own changes back. */
  takeNewer: () => void;
}

/** The newest version, if someone else saved one in the meantime. */
export interface NewerVersion {
  workflow: Workflow;
  /** What is different since the version that the user edits; null if it could not be fetched. */
  changes: readonly WorkflowChange[] | null;
  /** Keys of the steps that the user has changed since that version. */
  ownSteps: ReadonlySet<string>;
}

/**
 * Saves a workflow as its next version. A refusal stays visible until the next attempt, and the user's edits stay as
 * they are.
 */
export function useSaveWorkflow(
  { Id }: Pick<Workflow, 'Id'>,
  { version, setSaved, change, know }: Pick<WorkflowDraft, 'version' | 'setSaved' | 'change' | 'know'>,
): SaveWorkflow {
  const [send] = useState(() =>
    createWorkflowSender({
      save: (Version, described) => call(saveWorkflow, { body: { Id, Version, ...described } }),
      read: () => call(workflowDetails, { params: { id: Id } }),
    }),
  );
  const [description, setDescription] = useState('');
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<{ message: string; attempt: number }>({ message: '', attempt: 0 });
  const [newer, setNewer] = useState<NewerVersion | null>(null);

  const saveAs = async (before: number, graph: WorkflowGraphData): Promise<void> => {
    if (isSaving) return;
    setSaving(true);
    try {
      const saved = await send(before, { Graph: graph, ChangeDescription: description });
      refreshWorkflow();
      setDescription('');
      setNewer(null);
      setFailure(({ attempt }) => ({ message: '', attempt }));
      setSaved(graph, saved.Version);
      showSuccess(t('Saved as version {version}', { version: saved.Version }));
    } catch (error) {
      const { message, status } = toFailure(error);
      setFailure(({ attempt }) => ({ message, attempt: attempt + 1 }));
      if (status === 409) setNewer(await newestOf(Id, version, graph));
    } finally {
      setSaving(false);
    }
  };
  const takeNewer = (): void => {
    if (!newer) return;
    const { Graph, NewestVersion, Activities } = newer.workflow;
    for (const activity of Activities) know(activity);
    change(() => Graph);
    setSaved(Graph, NewestVersion);
    setNewer(null);
    setFailure(({ attempt }) => ({ message: '', attempt }));
  };
  return {
    description,
    setDescription,
    isSaving,
    failure: failure.message === '' ? null : failure.message,
    attempt: failure.attempt,
    newer,
    save: (graph) => saveAs(version, graph),
    saveOverNewer: (graph) => saveAs(newer?.workflow.NewestVersion ?? version, graph),
    takeNewer,
  };
}

/**
 * Returns null if it cannot be fetched; the user's edits are still there.
 * @param before the version that the user edits
 * @param own the graph that they could not save
 */
async function newestOf(id: number, before: number, own: WorkflowGraphData): Promise<NewerVersion | null> {
  const workflow = await call(workflowDetails, { params: { id } }).catch(() => null);
  if (!workflow) return null;
  const [compared, base] = await Promise.all([
    call(compareWorkflows, { params: { id, version: before, other: workflow.NewestVersion } }).catch(() => null),
    call(workflowVersionDetails, { params: { id, version: before } }).catch(() => null),
  ]);
  const ownChanges = base ? compareGraphs(base.Graph, own, String) : [];
  const ownSteps = new Set(ownChanges.flatMap(({ Step, What }) => (Step === null || What === 'Place' ? [] : [Step])));
  return { workflow, changes: compared?.Changes ?? null, ownSteps };
}

/** Call this after a workflow got a new version: it refreshes everything that shows the workflow. */
export function refreshWorkflow(): void {
  refreshActivities();
  refreshChecklists();
  for (const endpoint of [checklistDetails, workflowVersions])
    void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
  void queryClient.invalidateQueries({ queryKey: keyOf(workflowDetails), refetchType: 'none' });
}
