import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
  Tool as ToolDefinition,
} from '@modelcontextprotocol/server';
import { AppError } from '#server/base/app-error.ts';
import type { Caller } from '../caller.ts';

/** A call of a tool. */
export interface ToolCall {
  caller: Caller;
  /** Name of the assistant, for the run and the log. */
  client: string;
  args: Readonly<Record<string, unknown>>;
  /** True if the assistant's program can show questions to the person. */
  canAsk: boolean;
  context: ServerContext;
}

export type ToolResult = CallToolResult | InputRequiredResult;

export interface Tool {
  definition: ToolDefinition;
  call(call: ToolCall): Promise<ToolResult>;
}

/** The result of a tool; programs read the object, and models its text. */
export function answer(content: Record<string, unknown>, more: CallToolResult['content'] = []): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(content) }, ...more], structuredContent: content };
}

/** A refusal that the assistant can read and react to. */
export const refusal = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true });

/** Returns a whole number of the arguments. Throws an AppError 400 for anything else. */
export function integerArgument(
  { args }: Pick<ToolCall, 'args'>,
  name: string,
  { minimum, maximum, standard }: { minimum: number; maximum: number; standard?: number },
): number {
  const value = args[name] ?? standard;
  if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum) return value;
  throw invalid(`${name} must be a whole number from ${minimum} to ${maximum}`);
}

/** Returns an object of the arguments; {} if it is absent. Throws an AppError 400 for anything else. */
export function objectArgument({ args }: Pick<ToolCall, 'args'>, name: string): Record<string, unknown> {
  const value = args[name] ?? {};
  if (isObject(value)) return value;
  throw invalid(`${name} must be an object`);
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const invalid = (message: string): AppError => new AppError('invalidArgument', 400, message);
