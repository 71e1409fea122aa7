/** Starts runs for assistants. */
import { randomUUID } from 'node:crypto';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { StartService } from '#server/features/runs/start-service.ts';
import { effectsOf } from '#server/versions/triable.ts';
import type { ActivityVersion, VersionCatalog } from '#server/versions/version-catalog.ts';
import { AppError } from '#server/base/app-error.ts';
import { readInputs, type GivenInputs } from '#shared/client/inputs.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { RunInputValue } from '#shared/contract/parameters.ts';
import type { RetryEffect } from '#shared/contract/run-failures.ts';
import type { StartBody } from '#shared/contract/runs.ts';
import { cleanText } from '../clean-text.ts';
import { followRun, passAnswer, type FollowDeps } from './follow-run.ts';
import { inputSchema, namedArguments, type ListedInput } from './input-schema.ts';
import { confirmed, digestOf, type OpenRequest } from './requests.ts';
import { runResult } from './run-result.ts';
import { refusal, type ToolCall, type ToolResult } from './tool.ts';

export interface RunDeps extends FollowDeps {
  activities: ActivitiesService;
  versions: VersionCatalog;
  starts: StartService;
}

/** What an activity is to an assistant: its newest version as the person sees it. */
export interface OfferedActivity {
  activity: Activity;
  inputs: ListedInput[];
  /** What a run changes outside the run. */
  effects: Change[];
}

export type Change = Exclude<RetryEffect, 'Export'>;

/** Throws an AppError 404 if the person may not see the activity, or may not run it. */
export async function offeredActivity(
  { activities, versions }: Pick<RunDeps, 'activities' | 'versions'>,
  { caller }: Pick<ToolCall, 'caller'>,
  activityId: number,
): Promise<OfferedActivity> {
  const activity = await activities.details(caller.person, activityId);
  if (!activity.CanRun) throw new AppError('activityInactive', 409, 'The activity is not active and cannot be run');
  const version = await versions.get(activity.Id, activity.Version);
  if (!version) throw new AppError('versionNotFound', 404, 'There is no such version');
  return { activity, inputs: withItems(activity, version), effects: changesOf(version) };
}

/** Files that an Export step creates belong to the run. */
const changesOf = ({ definition }: Pick<ActivityVersion, 'definition'>): Change[] =>
  effectsOf(definition).filter((effect) => effect !== 'Export');

function withItems({ Inputs }: Activity, version: ActivityVersion): ListedInput[] {
  const items = new Map(version.inputs.map(({ Id, pickerItems }) => [Id, pickerItems]));
  return Inputs.map((input) => ({ ...input, items: items.get(input.Id) ?? [] }));
}

/** Starts a run, or continues the call that waits for the person, and waits for the end of the run. */
export async function runActivity(
  deps: RunDeps,
  call: ToolCall,
  { activityId, given, seconds }: { activityId: number; given: Record<string, unknown>; seconds: number },
): Promise<ToolResult> {
  const answered = await passAnswer(deps, call);
  if (answered) {
    if (answered.note === '') return followRun(deps, call, { runId: answered.runId, seconds, isStarted: true });
    return runResult(await deps.runs.details(call.caller.person, answered.runId), deps.address, answered.note);
  }
  const offered = await offeredActivity(deps, call, activityId);
  const named = namedArguments(given, inputSchema(offered.inputs));
  // What is no value at all is reported by reading it.
  const inputs = readInputs(offered.activity, named as GivenInputs);
  const permitted = await permit(deps, call, { ...offered, given }, inputs);
  if ('result' in permitted) return permitted.result;
  const body = { ...startOf(offered, inputs), UniqueId: permitted.key };
  const { Id } = await deps.starts.start(call.caller.person, body, { clientName: call.client });
  return followRun(deps, call, { runId: Id, seconds, isStarted: true });
}

const startOf = ({ activity }: OfferedActivity, Inputs: RunInputValue[]): StartBody => ({
  ActivityId: activity.Id,
  ActivityVersion: activity.Version,
  Inputs,
});

/**
 * Asks the person to confirm a run that changes something, unless the key allows it without. Returns the key of the
 * start, by which the same confirmation never starts two runs.
 */
async function permit(
  deps: RunDeps,
  call: ToolCall,
  offered: OfferedActivity & { given: Record<string, unknown> },
  inputs: RunInputValue[],
): Promise<{ key: string } | { result: ToolResult }> {
  const { activity, effects } = offered;
  if (effects.length === 0 || call.caller.mayWriteUnasked) return { key: keyOf(randomUUID()) };
  const start = startOf(offered, inputs);
  const digest = digestOf(start);
  const open = call.context.mcpReq.requestState<OpenRequest>()?.start;
  const reply = confirmed(call.context);
  if (open?.digest === digest && reply !== undefined) {
    return reply ? { key: keyOf(open.key) } : { result: refusal('The person did not confirm. Nothing was started.') };
  }
  // Nobody should confirm values that a start would refuse.
  await deps.starts.check(call.caller.person, start);
  if (!call.canAsk) return { result: refusal(cannotConfirm(activity, effects, deps.address)) };
  const asked = { start: { key: randomUUID(), digest } };
  return { result: await deps.requests.confirm(call.context, asked, confirmation(call, offered)) };
}

const keyOf = (uuid: string): string => `assistant ${uuid}`;

const EFFECT_TEXTS: Record<Change, string> = {
  Procedure: 'calls a stored procedure, which may change data',
  Write: 'writes to a database',
  Mail: 'sends mails',
  Start: 'starts other runs',
};

export const effectText = (effects: readonly Change[]): string =>
  effects.map((effect) => EFFECT_TEXTS[effect]).join(', ');

/** Each value is shown, at least its beginning: a long one must not hide those that follow it. */
const MAX_SHOWN_VALUES = 50;
const MAX_SHOWN_VALUE = 200;

function confirmation(
  { client }: Pick<ToolCall, 'client'>,
  { activity, effects, given }: OfferedActivity & { given: Record<string, unknown> },
): string {
  const name = `"${cleanText(activity.Name, 100)}" (${cleanText(activity.Schema, 60)})`;
  const values = Object.entries(given);
  const lines = values.slice(0, MAX_SHOWN_VALUES).map(([key, value]) => `${cleanText(key, 60)}: ${shownValue(value)}`);
  const more = values.length - lines.length;
  if (more > 0) lines.push(`Caution: ${more} more values are not shown.`);
  const about = lines.length === 0 ? ['All inputs keep their defaults.'] : ['Values:', ...lines];
  return [`${client} wants to run ${name}, which ${effectText(effects)}.`, ...about, 'Start it?'].join('\n');
}

function shownValue(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  if (text.length <= MAX_SHOWN_VALUE) return cleanText(text, MAX_SHOWN_VALUE);
  const size = Array.isArray(value) ? `${value.length} rows` : `${text.length} characters`;
  return `${cleanText(text, MAX_SHOWN_VALUE)} (${size})`;
}

function cannotConfirm({ Id, Name }: Activity, effects: readonly Change[], address: string | null): string {
  const where = address === null ? 'in the portal' : `at ${address}activities/run/${Id}`;
  return `A run of "${cleanText(Name, 100)}" ${effectText(effects)}, so the person must confirm it, and your program cannot ask them. They can start it ${where}, or use an API key that allows changes without confirmation.`;
}
