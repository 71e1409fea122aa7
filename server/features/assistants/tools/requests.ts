/** Questions to the person, which their program shows, and what they stand for while they are open. */
import { createHash, createHmac } from 'node:crypto';
import {
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type InputRequiredResult,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** What a question is about. It travels through the assistant's program, signed for the person and the question. */
export interface OpenRequest {
  /** A confirmation: the key of the start, and a digest of what would be started. */
  start?: { key: string; digest: string };
  /** A question of a run: the run and the key of its prompt. */
  prompt?: { run: number; key: string };
}

export interface Requests {
  verify: RequestStateCodec<OpenRequest>['verify'];
  /** Asks the person to confirm. */
  confirm(context: ServerContext, open: OpenRequest, message: string): Promise<InputRequiredResult>;
  /** Asks the person for a text. */
  ask(context: ServerContext, open: OpenRequest, message: string): Promise<InputRequiredResult>;
}

/** A person may think about a question for this long. */
const ANSWER_SECONDS = 600;

/** @param personOf identifies the person and program of a call: nobody else can answer the question */
export function createRequests(secretKey: string, personOf: (context: ServerContext) => string): Requests {
  const key = createHmac('sha256', secretKey).update('questions of assistants').digest();
  const codec = createRequestStateCodec<OpenRequest>({ key, ttlSeconds: ANSWER_SECONDS, bind: personOf });
  return {
    verify: (state, context) => codec.verify(state, context),
    confirm: async (context, open, message) =>
      inputRequired({
        inputRequests: {
          confirm: inputRequired.elicit({
            message,
            requestedSchema: {
              type: 'object',
              properties: { confirm: { type: 'boolean', title: 'Start the run', default: false } },
              required: ['confirm'],
            },
          }),
        },
        requestState: await codec.mint(open, context),
      }),
    ask: async (context, open, message) =>
      inputRequired({
        inputRequests: {
          answer: inputRequired.elicit({
            message,
            requestedSchema: {
              type: 'object',
              properties: { answer: { type: 'string', title: 'Answer', maxLength: 32_767 } },
              required: ['answer'],
            },
          }),
        },
        requestState: await codec.mint(open, context),
      }),
  };
}

/** Returns whether the person confirmed; undefined if this call brings no reply. */
export function confirmed(context: ServerContext): boolean | undefined {
  const reply = inputResponse(context.mcpReq.inputResponses, 'confirm');
  if (reply.kind !== 'elicit') return undefined;
  return reply.action === 'accept' && reply.content?.['confirm'] === true;
}

/** Returns the person's text; null if they did not answer, undefined if this call brings no reply. */
export function repliedText(context: ServerContext): string | null | undefined {
  const reply = inputResponse(context.mcpReq.inputResponses, 'answer');
  if (reply.kind !== 'elicit') return undefined;
  const text = reply.action === 'accept' ? reply.content?.['answer'] : null;
  return typeof text === 'string' ? text : null;
}

/** A digest of what a person confirms: other values need another confirmation. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url');
