import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#server/base/app-error.ts';
import { bearerToken } from '#server/http/access.ts';
import { clientGone } from '#server/http/client-gone.ts';
import { requireOwnHost } from '#server/http/own-host.ts';
import { registerEndpoint, registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import { sendWebResponse, webRequest } from '#server/http/web-requests.ts';
import { assistantCall, assistantOffer, assistantStream, offerToAssistants } from '#shared/contract/assistants.ts';
import type { AssistantCallers } from './assistant-callers.ts';
import type { Caller } from './caller.ts';
import type { OffersService } from './offers-service.ts';
import type { ProtocolService } from './protocol/protocol-service.ts';

export interface AssistantsRoutesDeps {
  protocol: ProtocolService;
  offers: OffersService;
  callers: AssistantCallers;
  isOn: boolean;
  /** The portal's address; null if it is not configured. */
  address: string | null;
  /** Where assistants learn how to get a grant; null if they cannot. */
  metadataAddress: string | null;
  /** Ends calls that wait for runs. */
  close(): void;
}

/** Arguments of tools may be tables. */
const BODY_BYTES = 4 * 1024 * 1024;

export function registerAssistantsRoutes(app: FastifyInstance, deps: AssistantsRoutesDeps): void {
  const { protocol, offers } = deps;
  const callers = new WeakMap<FastifyRequest, Caller>();
  // Strangers must not make the server read large bodies.
  const beforeBody = async (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    void callers.set(request, await authenticate(deps, request, reply));
  registerPublicEndpoint(
    app,
    assistantCall,
    async ({ body, request, reply }) => {
      const caller = callers.get(request);
      if (!caller) throw new Error('a call of an assistant has no caller');
      // Many calls in one request would evade the limit of calls per minute.
      if (Array.isArray(body)) throw new AppError('invalid_request', 400, 'Send one message per request');
      return sendWebResponse(reply, await protocol.answer(webRequest(request, clientGone(reply)), body, caller));
    },
    { bodyLimit: BODY_BYTES, beforeBody },
  );
  registerPublicEndpoint(app, assistantStream, async ({ request, reply }) => {
    await authenticate(deps, request, reply);
    return reply.code(405).header('allow', 'POST').send({ message: 'Method not allowed' });
  });
  registerEndpoint(app, assistantOffer, ({ person, params }) => offers.get(person, params.id));
  registerEndpoint(app, offerToAssistants, ({ person, body, request }) =>
    offers.set(person, { activityId: body.Id, isOffered: body.IsOffered, address: request.ip }),
  );
  // Runs before the server waits for pending calls: those that wait for runs or people would delay a stop.
  app.addHook('preClose', async () => {
    deps.close();
    protocol.close();
  });
}

/** Throws an AppError: 404 if there are no assistants here, 403 for a call from another site, 401 without a valid token. */
async function authenticate(deps: AssistantsRoutesDeps, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  if (!deps.isOn) throw new AppError('notFound', 404, 'Not found');
  requireOwnHost(request, deps.address);
  try {
    return await deps.callers.authenticate(bearerToken(request), request.ip);
  } catch (error) {
    if (error instanceof AppError && error.status === 401)
      void reply.header('www-authenticate', challenge(deps, request));
    throw error;
  }
}

/** Source: RFC 6750, section 3; RFC 9728, section 5.1. */
function challenge({ metadataAddress }: AssistantsRoutesDeps, { headers }: FastifyRequest): string {
  const parts = [
    ...(headers.authorization === undefined ? [] : ['error="invalid_token"']),
    ...(metadataAddress === null ? [] : [`resource_metadata="${metadataAddress}"`]),
  ];
  return ['Bearer', parts.join(', ')].join(' ').trim();
}
