import type { FastifyInstance } from 'fastify';
import { actorOf } from '#server/access/actor.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/sharing.ts';
import * as why from '#shared/contract/access-reasons.ts';
import * as requests from '#shared/contract/access-requests.ts';
import type { AccessNotices } from './access-notices-service.ts';
import type { AccessRequestsService } from './access-requests-service.ts';
import type { ReasonsService } from './reasons-service.ts';
import type { SharesService } from './shares-service.ts';

export interface SharingRoutesDeps {
  shares: SharesService;
  reasons: ReasonsService;
  accessRequests: AccessRequestsService;
  accessNotices: Pick<AccessNotices, 'dismiss'>;
}

export function registerSharingRoutes(
  app: FastifyInstance,
  { shares, reasons, accessRequests, accessNotices }: SharingRoutesDeps,
): void {
  registerShares(app, shares);
  registerReasons(app, reasons);
  registerEndpoint(app, requests.askedAccess, ({ person, params }) =>
    accessRequests.asked(person, params.kind, params.id),
  );
  registerEndpoint(app, requests.askForAccess, ({ person, body }) => accessRequests.ask(person, body));
  registerEndpoint(app, requests.accessRequests, ({ person, query }) =>
    accessRequests.list(person, query.Before ?? null),
  );
  registerEndpoint(app, requests.decideAccess, ({ person, body, request }) =>
    accessRequests.decide(person, actorOf(person, request.ip), body),
  );
  registerEndpoint(app, requests.dismissAccessNotice, async ({ person, params }) => {
    await accessNotices.dismiss(person, params.id);
    return null;
  });
}

function registerShares(app: FastifyInstance, shares: SharesService): void {
  registerEndpoint(app, contract.activityShares, ({ person, params, query }) =>
    shares.list(person, params.id, query.Skip ?? 0),
  );
  registerEndpoint(app, contract.shareCandidates, ({ person, params, query }) =>
    shares.candidates(person, params.id, query.Search),
  );
  registerEndpoint(app, contract.shareActivity, async ({ person, params, body, request }) => {
    await shares.share(person, actorOf(person, request.ip), params.id, body);
    return null;
  });
  registerEndpoint(app, contract.unshareActivity, async ({ person, params, body, request }) => {
    await shares.unshare(person, actorOf(person, request.ip), params.id, body);
    return null;
  });
  registerEndpoint(app, contract.savePublicLink, async ({ person, params, body, request }) => {
    await shares.saveLink(person, actorOf(person, request.ip), params.id, body);
    return null;
  });
  registerEndpoint(app, contract.revokePublicLink, async ({ person, params, request }) => {
    await shares.revokeLink(person, actorOf(person, request.ip), params.id);
    return null;
  });
}

function registerReasons(app: FastifyInstance, reasons: ReasonsService): void {
  registerEndpoint(app, why.accessReasons, ({ person, params }) =>
    reasons.explain(person, params.userId, params.activityId),
  );
  registerEndpoint(app, why.reasonPeople, ({ person, query }) => reasons.people(person, query));
  registerEndpoint(app, why.reasonActivities, ({ person, query }) => reasons.activities(person, query));
}
