/** The tools of assistants: which there are for a person, and what their calls do. */
import { createBatcher } from '#server/background/batcher.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Log } from '#server/base/log.ts';
import { actorOf, type Actor } from '#server/access/actor.ts';
import { recordActions, type NewAction } from '#server/access/audit/record-actions.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { InputFailure } from '#shared/client/inputs.ts';
import { listOffered } from './offers-repository.ts';
import { evaluateTool, type EvaluateDeps } from './tools/evaluate-tool.ts';
import { describeTool, searchTool, type FindDeps } from './tools/find-activities.ts';
import { offeredActivity, type RunDeps } from './tools/run-activity.ts';
import { getRunTool, ownTool, ownToolName, runTool } from './tools/run-tools.ts';
import { refusal, type Tool, type ToolCall, type ToolResult } from './tools/tool.ts';

export type { Caller } from './caller.ts';

export interface AssistantsService {
  /** Returns the tools of everybody, and one for each activity that the person may run and that is offered to assistants. */
  list(call: Pick<ToolCall, 'caller'>): Promise<Tool['definition'][]>;
  /** Returns null if there is no such tool. What the tool refuses is a result that the assistant can read. */
  call(name: string, call: ToolCall): Promise<ToolResult | null>;
}

export interface AssistantsDeps extends RunDeps, FindDeps, EvaluateDeps {
  log: Log;
}

/** Programs and models get worse with many tools. Further activities are found by search_activities. */
const MAX_OWN_TOOLS = 60;
const MAX_BATCH_SIZE = 50;
const MAX_PENDING_CALLS_OF_USER = 50;

export function createAssistantsService(deps: AssistantsDeps): AssistantsService {
  const general = [searchTool(deps), describeTool(deps), runTool(deps), getRunTool(deps), evaluateTool(deps)];
  const record = createAssistantLog(deps);
  const pending = createPendingCalls();

  async function ownTools(call: Pick<ToolCall, 'caller'>): Promise<Tool[]> {
    const offers = await listOffered(deps.database.knex, await deps.access.scopes(call.caller.person), MAX_OWN_TOOLS);
    const found = await Promise.all(offers.map(({ Id }) => offeredActivity(deps, call, Id).catch(onlyIfMissing)));
    return found.flatMap((offered) => (offered ? [ownTool(deps, offered)] : []));
  }

  async function find(name: string, call: ToolCall): Promise<Tool | undefined> {
    const known = general.find(({ definition }) => definition.name === name);
    if (known) return known;
    const offers = await listOffered(deps.database.knex, await deps.access.scopes(call.caller.person), MAX_OWN_TOOLS);
    const offer = offers.find(({ Id, Name }) => ownToolName(Name, Id) === name);
    return offer && ownTool(deps, await offeredActivity(deps, call, offer.Id));
  }

  return {
    list: async (call) => {
      try {
        return [...general, ...(await ownTools(call))].map(({ definition }) => definition);
      } catch (error) {
        deps.log.error({ err: error }, 'the tools of an assistant could not be listed');
        // The protocol sends the message of an error to the program, and that of a database contains its statement.
        throw new Error(UNEXPECTED, { cause: error });
      }
    },
    call: async (name, call) => {
      const leave = pending.enter(call.caller.person.UserId);
      if (!leave) return refusal('You make too many calls at the same time. Wait until some of them have ended.');
      try {
        const tool = await find(name, call);
        if (!tool) return null;
        // Runs and evaluations leave their own lines.
        if (READING.has(name)) await record(actorOf(call.caller.person, call.caller.address), name, call.client);
        return await tool.call(call);
      } catch (error) {
        return refusalOf(error, deps.log);
      } finally {
        leave();
      }
    },
  };
}

const UNEXPECTED = 'Unexpected error. The log of the portal has the details.';

const READING: ReadonlySet<string> = new Set(['search_activities', 'describe_activity', 'get_run']);

/** Between the two queries, an activity may be purged or a right taken away. */
function onlyIfMissing(error: unknown): undefined {
  if (error instanceof AppError && error.status < 500) return undefined;
  throw error;
}

function refusalOf(error: unknown, log: Log): ToolResult {
  if (error instanceof InputFailure) return refusal(error.message);
  if (!(error instanceof AppError)) {
    log.error({ err: error }, 'a tool of an assistant failed');
    return refusal(UNEXPECTED);
  }
  const fields = Object.entries(error.modelState ?? {}).flatMap(([name, texts]) =>
    texts.map((text) => (name === '' ? text : `${name}: ${text}`)),
  );
  return refusal([error.message, ...fields.slice(0, 50)].join('\n'));
}

/** Counts the pending calls of each person: those that wait for a run read its state again and again. */
function createPendingCalls(): { enter: (userId: number) => (() => void) | null } {
  const counts = new Map<number, number>();
  const change = (userId: number, by: number): void => {
    const count = (counts.get(userId) ?? 0) + by;
    if (count === 0) counts.delete(userId);
    else counts.set(userId, count);
  };
  return {
    enter: (userId) => {
      if ((counts.get(userId) ?? 0) >= MAX_PENDING_CALLS_OF_USER) return null;
      change(userId, 1);
      return () => change(userId, -1);
    },
  };
}

/** Records calls that leave no run. Lines of calls that come together share a transaction. */
function createAssistantLog({ database: { knex } }: AssistantsDeps) {
  interface Line {
    actor: Actor;
    action: NewAction;
  }
  const many = async (lines: readonly Line[]): Promise<void[]> => {
    await inTransaction(knex, async (trx) => {
      for (const { actor, action } of lines) await recordActions(trx, actor, [action]);
    });
    return lines.map(() => undefined);
  };
  const alone = async (line: Line): Promise<void> => void (await many([line]));
  const add = createBatcher({ many, alone, isUncertain: () => false, maxBatchSize: MAX_BATCH_SIZE });
  return (actor: Actor, tool: string, client: string): Promise<void> =>
    add({
      actor,
      action: { Action: 'AssistantCall', KeyColumnName: 'Tool', KeyColumnValue: `${tool}, for ${client}` },
    });
}
