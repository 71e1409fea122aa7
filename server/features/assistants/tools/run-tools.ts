/** Tools that start runs and look at them. */
import { cleanText, plainKey } from '../clean-text.ts';
import { activityIdOf } from './find-activities.ts';
import { followRun, passAnswer } from './follow-run.ts';
import { inputSchema } from './input-schema.ts';
import { outputSchema } from './output-schema.ts';
import { effectText, runActivity, type OfferedActivity, type RunDeps } from './run-activity.ts';
import { runResult, runResultSchema } from './run-result.ts';
import { integerArgument, objectArgument, type Tool, type ToolCall, type ToolResult } from './tool.ts';

/** Programs of assistants usually give up after a minute. */
const STANDARD_WAIT_SECONDS = 45;
const MAX_WAIT_SECONDS = 300;

const WAIT = {
  type: 'integer',
  minimum: 0,
  maximum: MAX_WAIT_SECONDS,
  default: STANDARD_WAIT_SECONDS,
  description: 'Waits so many seconds for the end of the run. If it takes longer, call get_run.',
} as const;

const secondsOf = (call: ToolCall, standard: number): number =>
  integerArgument(call, 'wait_seconds', { minimum: 0, maximum: MAX_WAIT_SECONDS, standard });

export function runTool(deps: RunDeps): Tool {
  return {
    definition: {
      name: 'run_activity',
      title: 'Run an activity',
      description:
        'Runs an activity with the given inputs, waits for its end and returns its outputs. The run is stored in the portal. describe_activity returns which inputs there are.',
      inputSchema: {
        type: 'object',
        properties: {
          activity_id: { type: 'integer', minimum: 1 },
          inputs: { type: 'object', description: 'Values by the keys that describe_activity returns' },
          wait_seconds: WAIT,
        },
        required: ['activity_id'],
        additionalProperties: false,
      },
      outputSchema: runResultSchema(),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    call: (call) => {
      const given = objectArgument(call, 'inputs');
      const seconds = secondsOf(call, STANDARD_WAIT_SECONDS);
      return runActivity(deps, call, { activityId: activityIdOf(call), given, seconds });
    },
  };
}

export function getRunTool(deps: RunDeps): Tool {
  return {
    definition: {
      name: 'get_run',
      title: 'Look at a run',
      description:
        'Returns the status of a run, and its outputs, messages and files when it has ended. It can wait for the end.',
      inputSchema: {
        type: 'object',
        properties: { run_id: { type: 'integer', minimum: 1 }, wait_seconds: { ...WAIT, default: 0 } },
        required: ['run_id'],
        additionalProperties: false,
      },
      outputSchema: runResultSchema(),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    call: (call) => getRun(deps, call),
  };
}

async function getRun(deps: RunDeps, call: ToolCall): Promise<ToolResult> {
  const runId = integerArgument(call, 'run_id', { minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
  const seconds = secondsOf(call, 0);
  const answered = await passAnswer(deps, call);
  if (!answered || answered.note === '') {
    return followRun(deps, call, { runId: answered?.runId ?? runId, seconds, isStarted: false });
  }
  return runResult(await deps.runs.details(call.caller.person, answered.runId), deps.address, answered.note);
}

/** Names of tools that assistants accept have up to 64 characters. The id makes the name unique and unmistakable. */
export const ownToolName = (name: string, id: number): string => `${plainKey(name, 50) || 'activity'}_${id}`;

/** Returns the tool of an activity that its editor offers to assistants. */
export function ownTool(deps: RunDeps, offered: OfferedActivity): Tool {
  const { activity, effects, inputs } = offered;
  const name = cleanText(activity.Name, 100);
  const about = cleanText(activity.Description, 300);
  const changes = effects.length === 0 ? '' : ` It ${effectText(effects)}.`;
  const isReading = effects.length === 0;
  return {
    definition: {
      name: ownToolName(activity.Name, activity.Id),
      title: name,
      description: `Runs the activity "${name}" and returns its outputs.${changes}${about === '' ? '' : ` Its author says: "${about}"`}`,
      inputSchema: inputSchema(inputs).schema,
      outputSchema: runResultSchema(outputSchema(activity.Outputs)),
      annotations: {
        title: name,
        readOnlyHint: isReading,
        destructiveHint: !isReading,
        idempotentHint: isReading,
        openWorldHint: effects.includes('Mail') || effects.includes('Procedure'),
      },
    },
    call: (call) =>
      runActivity(deps, call, { activityId: activity.Id, given: { ...call.args }, seconds: STANDARD_WAIT_SECONDS }),
  };
}
