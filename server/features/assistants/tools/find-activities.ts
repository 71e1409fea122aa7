/** Tools that only read: finding and describing activities. */
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { Database } from '#server/db/database.ts';
import { cleanText } from '../clean-text.ts';
import { listRunnable, type FoundActivity } from '../offers-repository.ts';
import { inputSchema } from './input-schema.ts';
import { outputSchema } from './output-schema.ts';
import { effectText, offeredActivity, type RunDeps } from './run-activity.ts';
import { answer, integerArgument, invalid, type Tool, type ToolCall, type ToolResult } from './tool.ts';

export interface FindDeps extends Pick<RunDeps, 'activities' | 'versions' | 'address'> {
  database: Pick<Database, 'knex'>;
  access: ActivityAccess;
}

const MAX_FOUND = 50;
const STANDARD_FOUND = 20;
const MAX_QUERY = 200;

export function searchTool(deps: FindDeps): Tool {
  return {
    definition: {
      name: 'search_activities',
      title: 'Search activities',
      description:
        'Finds activities (workbooks and procedures) that the person may run, by words of their names and descriptions. Without a query, it lists all.',
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string', maxLength: MAX_QUERY, description: 'Words that must all occur' },
          limit: { type: 'integer', minimum: 1, maximum: MAX_FOUND, default: STANDARD_FOUND },
          offset: { type: 'integer', minimum: 0, default: 0, description: 'Skips so many: for further pages' },
        },
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: { total: { type: 'integer' }, activities: { type: 'array', items: { type: 'object' } } },
        required: ['total', 'activities'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    call: (call) => search(deps, call),
  };
}

async function search({ database, access }: FindDeps, call: ToolCall): Promise<ToolResult> {
  const query = call.args['query'] ?? '';
  if (typeof query !== 'string' || query.length > MAX_QUERY) throw invalid('query must be a short text');
  const limit = integerArgument(call, 'limit', { minimum: 1, maximum: MAX_FOUND, standard: STANDARD_FOUND });
  const offset = integerArgument(call, 'offset', { minimum: 0, maximum: 1_000_000, standard: 0 });
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const all = await listRunnable(database.knex, await access.scopes(call.caller.person));
  const found = all.filter((activity) => words.every((word) => searchedText(activity).includes(word)));
  return answer({ total: found.length, activities: found.slice(offset, offset + limit).map(foundView) });
}

const searchedText = ({ Name, Description, Schema, Group }: FoundActivity): string =>
  [Name, Description, Schema, Group].join('\n').toLowerCase();

const foundView = ({ Id, Name, Description, Schema, Group }: FoundActivity): Record<string, unknown> => ({
  activity_id: Id,
  name: cleanText(Name, 100),
  description: cleanText(Description, 300),
  schema: cleanText(Schema, 60),
  group: cleanText(Group, 60),
});

export function describeTool(deps: FindDeps): Tool {
  return {
    definition: {
      name: 'describe_activity',
      title: 'Describe an activity',
      description:
        'Returns the inputs and outputs of an activity as JSON Schema, and what its runs change. Call it before run_activity or evaluate_activity.',
      inputSchema: {
        type: 'object',
        properties: { activity_id: { type: 'integer', minimum: 1 } },
        required: ['activity_id'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: {
          activity_id: { type: 'integer' },
          name: { type: 'string' },
          inputs: { type: 'object' },
          outputs: { type: 'object' },
          changes: { type: 'string' },
        },
        required: ['activity_id', 'name', 'inputs', 'outputs', 'changes'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    call: (call) => describe(deps, call),
  };
}

async function describe(deps: FindDeps, call: ToolCall): Promise<ToolResult> {
  const offered = await offeredActivity(deps, call, activityIdOf(call));
  const { activity, effects } = offered;
  return answer({
    activity_id: activity.Id,
    name: cleanText(activity.Name, 100),
    description: cleanText(activity.Description, 300),
    version: activity.Version,
    inputs: inputSchema(offered.inputs).schema,
    outputs: outputSchema(activity.Outputs),
    changes: effects.length === 0 ? 'nothing' : `A run ${effectText(effects)}`,
    link: deps.address === null ? null : `${deps.address}activities/run/${activity.Id}`,
  });
}

export const activityIdOf = (call: ToolCall): number =>
  integerArgument(call, 'activity_id', { minimum: 1, maximum: 2_147_483_647 });
