import type { ErrorObject } from 'ajv';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ModelState } from '#server/base/app-error.ts';
import { validationText } from './validation-messages.ts';
import './fastify-types.ts';

interface Refusal {
  status: number;
  code: string;
  message: string;
  modelState?: ModelState;
  answer?: Record<string, unknown>;
}

/** Tells whether an error means that the database cannot be reached, which is temporary, or that it is full. */
export type OutageTest = (error: unknown) => keyof typeof OUTAGES | null;

/**
 * The only place where errors become responses. An unexpected error is logged once in full, and the response contains
 * only its id.
 */
export function answerErrors(app: FastifyInstance, outageOf: OutageTest): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const refusal = refusalOf(error as FastifyError, request);
    if (refusal) {
      logMissingAccess(refusal, request);
      return answer(request, reply, refusal);
    }
    request.log.error({ err: error }, 'unexpected error');
    const outage = outageOf(error);
    if (outage !== null) {
      void reply.header('retry-after', '5');
      return answer(request, reply, OUTAGES[outage]);
    }
    const message = `Unexpected error (id ${request.id})`;
    return answer(request, reply, { status: 500, code: 'unexpected', message });
  });
}

const OUTAGES = {
  away: {
    status: 503,
    code: 'databaseUnreachable',
    message: 'The database cannot be reached. Please try again in a moment.',
  },
  // Insufficient Storage: RFC 4918, section 11.5.
  full: {
    status: 507,
    code: 'databaseFull',
    message: 'The database is full. Please tell an administrator.',
  },
};

/** Messages for requests that Fastify itself rejects; its own messages mention internals. */
const TEXT_BY_STATUS: Record<number, string> = {
  400: 'The request cannot be read',
  413: 'The request is too large',
  414: 'The address is too long',
  415: 'The request is of a type that this call does not take',
  429: 'Too many requests. Please wait a moment and try again.',
};

/** The response says the same about every missing right and every invalid token. Only this line says which one it was. */
function logMissingAccess(refusal: Refusal, { log }: FastifyRequest): void {
  if (!(refusal instanceof AppError) || (refusal.status !== 401 && refusal.status !== 403)) return;
  const { status, code, logged } = refusal;
  // The getter formats the stack only if the line is written.
  const line = {
    status,
    code,
    ...logged,
    get stack() {
      return refusal.stack;
    },
  };
  log.debug(line, 'access refused');
}

function refusalOf(error: FastifyError, request: FastifyRequest): Refusal | null {
  if (error instanceof AppError) return error;
  if (error.validation) {
    const part = error.validationContext ?? 'body';
    return {
      status: 400,
      code: 'invalid_request',
      ...validationText(error.validation as unknown as ErrorObject[], part),
    };
  }
  const status = error.statusCode ?? 500;
  if (status < 400 || status >= 500) return null;
  request.log.info({ err: { message: error.message, code: error.code } }, 'request refused');
  return { status, code: 'invalid_request', message: TEXT_BY_STATUS[status] ?? error.message };
}

function answer(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status, code, message, modelState } = refusal;
  void reply.status(status).type('application/json; charset=utf-8');
  switch (request.routeOptions.config.transport) {
    case 'form':
      return reply.send({
        error: code,
        error_description: status === 429 ? `display:${message}` : message,
        ...refusal.answer,
      });
    case 'multipart':
      return reply.send({ Message: message, ...refusal.answer });
    default:
      return reply.send({ message, ...(modelState && { modelState }), ...refusal.answer });
  }
}
