/** Waits for the end of a run, reports its progress, and passes its questions on to the person. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEnds } from '#server/features/runs/runs-module.ts';
import type { RunsService } from '#server/features/runs/runs-service.ts';
import { isPending, type LogEntry } from '#shared/contract/run-status.ts';
import type { RunState } from '#shared/contract/runs.ts';
import { cleanText, visibleText } from '../clean-text.ts';
import { repliedText, type OpenRequest, type Requests } from './requests.ts';
import { runResult } from './run-result.ts';
import type { ToolCall, ToolResult } from './tool.ts';

export interface FollowDeps {
  runs: RunsService;
  runEnds: RunEnds;
  requests: Requests;
  /** The portal's address; null if it is not configured. */
  address: string | null;
  /** Aborts when the server stops. */
  closing: AbortSignal;
}

/** How often the state of a run is read while an assistant waits for its end. */
const STATE_INTERVAL_SECONDS = 1;

const SECRET =
  'The run asks for something secret, which must not pass through an assistant. Ask the person to open the run in the portal and to answer there.';
const CANNOT_ASK =
  'The run asks a question, and your program cannot show it. Ask the person to open the run in the portal and to answer there.';
const UNANSWERED = 'The person did not answer the question of the run. It waits until they answer in the portal.';

export interface Followed {
  runId: number;
  /** How long to wait for its end. */
  seconds: number;
  /** True if the call started the run: then cancelling the call cancels the run. */
  isStarted: boolean;
}

/** Returns the result of the run, or what is known of it after so many seconds. */
export async function followRun(
  deps: FollowDeps,
  call: ToolCall,
  { runId, seconds, isStarted }: Followed,
): Promise<ToolResult> {
  const { person } = call.caller;
  const { signal } = call.context.mcpReq;
  const end = performance.now() + seconds * 1000;
  const report = createReporter(call);
  const gone = AbortSignal.any([signal, deps.closing]);
  for (;;) {
    const state = await deps.runs.state(person, runId);
    const question = openQuestion(state);
    if (question) return ask(deps, call, runId, question);
    const left = (end - performance.now()) / 1000;
    if (!isPending(state.Status) || left <= 0) break;
    await report(state);
    const wait = Math.min(STATE_INTERVAL_SECONDS, left);
    const hasEnded = await deps.runEnds.wait(person.UserId, runId, wait, gone);
    // After a stop of the server, the run continues on another one or after the restart.
    if (gone.aborted) {
      // The run may have ended in the meantime.
      if (isStarted && !deps.closing.aborted) await deps.runs.cancel(person, runId).catch(() => {});
      break;
    }
    // Too many calls wait: this one still reads the state from time to time.
    if (hasEnded === undefined) await sleep(wait * 1000);
  }
  return runResult(await deps.runs.details(person, runId), deps.address);
}

const openQuestion = ({ LogEntries }: RunState): LogEntry | undefined => LogEntries.findLast(({ prompt }) => prompt);

async function ask(
  deps: FollowDeps,
  call: ToolCall,
  runId: number,
  { Message, prompt }: LogEntry,
): Promise<ToolResult> {
  const { context, caller } = call;
  const run = await deps.runs.details(caller.person, runId);
  if (prompt!.type === 'Masked') return runResult(run, deps.address, SECRET);
  if (!call.canAsk) return runResult(run, deps.address, CANNOT_ASK);
  const message = `The run ${runId} of "${cleanText(run.Name, 100)}" asks: ${visibleText(Message).slice(0, 2_000)}`;
  return deps.requests.ask(context, { prompt: { run: runId, key: prompt!.key } }, message);
}

/**
 * Passes the person's answer on to the run that asked, and returns the run; undefined if the call answers no question
 * of a run.
 */
export async function passAnswer(
  deps: FollowDeps,
  call: ToolCall,
): Promise<{ runId: number; note: string } | undefined> {
  const prompt = call.context.mcpReq.requestState<OpenRequest>()?.prompt;
  const text = repliedText(call.context);
  if (!prompt || text === undefined) return undefined;
  if (text === null) return { runId: prompt.run, note: UNANSWERED };
  await deps.runs.provideInput(call.caller.person, { ActivityRunId: prompt.run, Key: prompt.key, Value: text });
  return { runId: prompt.run, note: '' };
}

/** Reports the progress of a run if the assistant wants to know it. The number of each report must be higher. */
function createReporter({ context }: ToolCall): (state: RunState) => Promise<void> {
  const progressToken = context.mcpReq._meta?.progressToken;
  let last = 0;
  return async ({ Progress, Status }) => {
    if (progressToken === undefined) return;
    last = Math.max(last + 0.001, Progress?.Share ?? 0);
    const message = Progress ? visibleText(Progress.Phase).slice(0, 200) : Status;
    const params = { progressToken, progress: last, total: Math.max(1, last), message };
    // If the assistant is gone, its signal says so.
    await context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
