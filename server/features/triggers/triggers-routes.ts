import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Person } from '#server/base/person.ts';
import { idempotencyKeyOf } from '#server/http/idempotency-key.ts';
import { registerEndpoint, registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import type { Caller } from '#server/features/additional-schedules/additional-schedules-service.ts';
import {
  activityTriggers,
  checklistTriggers,
  INBOUND_BODY_MAX,
  inboundCall,
  listTriggers,
} from '#shared/contract/triggers.ts';
import type { InboundCalls } from './inbound-calls.ts';
import type { TriggerOverview } from './trigger-overview.ts';
import type { TriggersService } from './triggers-service.ts';

export interface TriggerCalls {
  activityTriggers: TriggersService;
  checklistTriggers: TriggersService;
  triggerOverview: TriggerOverview;
  inboundCalls: InboundCalls;
}

/** Maximum number of inbound calls per IP address and minute. */
const INBOUND_CALLS = 120;
const ACCEPTED = 202;

export function registerTriggerRoutes(app: FastifyInstance, parts: TriggerCalls): void {
  registerCalls(app, activityTriggers, parts.activityTriggers);
  registerCalls(app, checklistTriggers, parts.checklistTriggers);
  registerEndpoint(app, listTriggers, ({ person, query }) => parts.triggerOverview.list(person, query));
  // The signature covers the text of the body, so it must not be parsed before.
  void app.register(async (inbound) => {
    inbound.removeContentTypeParser('application/json');
    inbound.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    registerPublicEndpoint(
      inbound,
      inboundCall,
      async ({ params, body, request, reply }) => {
        const answer = await parts.inboundCalls.take(params.key, request.headers, body);
        void reply.code(ACCEPTED);
        return answer;
      },
      { bodyLimit: INBOUND_BODY_MAX, callsPerMinute: INBOUND_CALLS },
    );
  });
}

const callerOf = ({ person, request }: { person: Person; request: FastifyRequest }): Caller => ({
  person,
  address: request.ip,
});

function registerCalls(app: FastifyInstance, contract: typeof activityTriggers, triggers: TriggersService): void {
  registerEndpoint(app, contract.list, ({ person, params }) => triggers.list(person, params.id));
  registerEndpoint(app, contract.save, (call) =>
    triggers.save(callerOf(call), call.body, idempotencyKeyOf(call.request)),
  );
  registerEndpoint(app, contract.secret, (call) => triggers.secret(callerOf(call), call.params.id));
  registerEndpoint(app, contract.test, ({ person, body }) => triggers.test(person, body.Id, body.Body));
  for (const action of ['delete', 'pause', 'resume'] as const) {
    registerEndpoint(app, contract[action], async (call) => {
      await triggers[action](callerOf(call), call.params.id);
      return null;
    });
  }
}
