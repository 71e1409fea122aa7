/** Reads the names that a graph needs to become a file. */
import type { Db } from '#server/db/dialect/types.ts';
import type { WorkflowGraphData } from '#shared/contract/workflows.ts';
import type { WorkflowGraph } from '#shared/rules/workflows/types.ts';
import { activitiesOf, approversOf } from './workflow-catalogue.ts';
import { workflowFile, type WorkflowFile } from './workflow-file.ts';
import { activityNames, userNames } from './workflows-repository.ts';

export async function readFileOfGraph(
  db: Db,
  about: Pick<WorkflowFile, 'Name' | 'Description' | 'Group'>,
  graph: WorkflowGraph,
): Promise<WorkflowFile> {
  const names = await activityNames(db, activitiesOf(graph));
  const users = await userNames(db, approversOf(graph));
  const { Name, Description, Group } = about;
  return workflowFile({ Name, Description, Group }, graph as WorkflowGraphData, {
    activityOf: (activityId) => names.get(activityId)!,
    userOf: (userId) => users.get(userId),
  });
}
