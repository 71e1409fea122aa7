import type { Workflow, WorkflowGraphData } from '#shared/contract/workflows.ts';
import { createRevisionSender } from '#renderer/api/revision-sender.ts';

export interface DescribedGraph {
  Graph: WorkflowGraphData;
  ChangeDescription: string;
}

type Stored = Pick<Workflow, 'Graph' | 'ChangeDescription' | 'Version'>;

export interface WorkflowCalls {
  /** Saves the successor of a version. Rejects with an AppFailure 409 if there is one already. */
  save: (version: number, described: DescribedGraph) => Promise<{ Version: number }>;
  /** Reads the newest version. */
  read: () => Promise<Stored>;
}

/** Saves a workflow; a lost response causes no conflict and no second version (see createRevisionSender). */
export function createWorkflowSender({
  save,
  read,
}: WorkflowCalls): (version: number, described: DescribedGraph) => Promise<{ Version: number }> {
  // A stored draft may be based on an older version than the one that was read: it must not overwrite that one.
  const send = createRevisionSender<DescribedGraph, { Version: number }>(null, {
    save,
    read: async () => {
      const stored = await read();
      return { revision: stored.Version, content: describedOf(stored) };
    },
    resultOf: (Version) => ({ Version }),
  });
  return (version, described) => send(version, describedOf(described));
}

/** The server trims descriptions. */
const describedOf = ({ Graph, ChangeDescription }: DescribedGraph): DescribedGraph => ({
  Graph,
  ChangeDescription: ChangeDescription.trim(),
});
