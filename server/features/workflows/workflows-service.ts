/** Workflows with their versions, for people who view them. */
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import { checkExpression } from '#server/calculation/expressions/check-expression.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';
import type { Workflow, WorkflowChange, WorkflowGraphData, workflowVersions } from '#shared/contract/workflows.ts';
import { compareGraphs } from '#shared/rules/workflows/compare-graphs.ts';
import type { WorkflowGraph } from '#shared/rules/workflows/types.ts';
import { validateGraph } from '#shared/rules/workflows/validate-graph.ts';
import { workflowActivity } from '#shared/rules/workflows/workflow-activity.ts';
import { activitiesOf, approversOf, readApprovers, readCatalogue, type CatalogueDeps } from './workflow-catalogue.ts';
import { workflowFile } from './workflow-file.ts';
import { createWorkflowVersions } from './workflow-versions.ts';
import { listVersions, userNames, type WorkflowVersionRow } from './workflows-repository.ts';

export interface WorkflowsService {
  /** @param version defaults to the newest */
  details(person: Person, id: number, version?: number): Promise<Workflow>;
  versions(person: Person, id: number): Promise<ResultOf<typeof workflowVersions>>;
  compare(person: Person, id: number, version: number, other: number): Promise<WorkflowChange[]>;
  /** Returns a download token. */
  export(person: Person, id: number, version: number): Promise<string>;
}

const VERSIONS_SHOWN = 1000;

export function createWorkflowsService(deps: CatalogueDeps & { files: FilesService }): WorkflowsService {
  const { knex } = deps.database;
  const stored = createWorkflowVersions(deps);

  return {
    details: async (person, id, version) => {
      const workflow = await stored.require(person, id);
      const { checklist, newest, activities, CanEdit, CanRun } = workflow;
      const row = await stored.read(person, workflow, version ?? newest);
      const catalogue = await readCatalogue(deps, person, row.graph, activities);
      const Faults = validateGraph(row.graph, catalogue, await readApprovers(knex, row.graph), checkExpression);
      return {
        Id: id,
        Name: checklist.Name,
        Schema: checklist.Schema,
        Version: row.Version,
        NewestVersion: newest,
        Graph: row.graph as WorkflowGraphData,
        ChangeDescription: row.ChangeDescription,
        Modified: row.Modified.toISOString(),
        UserFullName: fullName(row),
        CanEdit,
        CanRun,
        Faults,
        Activities: [...catalogue.values()].map(workflowActivity),
      };
    },
    versions: async (person, id) => {
      const { checklist } = await stored.require(person, id);
      const rows = await listVersions(knex, id, VERSIONS_SHOWN);
      return { Name: checklist.Name, Versions: rows.map(versionItem) };
    },
    compare: async (person, id, version, other) => {
      const workflow = await stored.require(person, id);
      const read = (one: number) => stored.read(person, workflow, one);
      const [one, two] = await Promise.all([read(version), read(other)]);
      const names = await activityNames(deps, [one.graph, two.graph]);
      return compareGraphs(one.graph, two.graph, (activityId) => names.get(activityId)?.Name ?? String(activityId));
    },
    export: async (person, id, version) => {
      const workflow = await stored.require(person, id);
      const { graph } = await stored.read(person, workflow, version);
      const names = await activityNames(deps, [graph]);
      const users = await userNames(knex, approversOf(graph));
      const { Name, Description, Group } = workflow.checklist;
      const about = { Name, Description, Group };
      const text = workflowFile(about, graph as WorkflowGraphData, {
        activityOf: (activityId) => names.get(activityId)!,
        userOf: (userId) => users.get(userId),
      });
      const fileName = `${Name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '_')} ${version}.workflow.json`;
      return deps.files.tokenForNew(person, fileName, Buffer.from(text));
    },
  };
}

async function activityNames(
  { database }: CatalogueDeps,
  graphs: readonly WorkflowGraph[],
): Promise<Map<number, { Schema: string; Name: string }>> {
  const ids = [...new Set(graphs.flatMap(activitiesOf))];
  const rows = await database.knex('Activities').whereIn('Id', ids).select('Id', 'Schema', 'Name');
  return new Map(rows.map(({ Id, Schema, Name }) => [Id, { Schema, Name }]));
}

function versionItem(row: WorkflowVersionRow): ResultOf<typeof workflowVersions>['Versions'][number] {
  const { Version, ChangeDescription } = row;
  const Steps = (JSON.parse(row.Graph) as WorkflowGraph).Steps.length;
  return { Version, ChangeDescription, Modified: row.Modified.toISOString(), UserFullName: fullName(row), Steps };
}
