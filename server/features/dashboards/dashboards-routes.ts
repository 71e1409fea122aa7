import type { FastifyInstance } from 'fastify';
import { actorOf } from '#server/access/actor.ts';
import { idempotencyKeyOf } from '#server/http/idempotency-key.ts';
import { registerEndpoint, registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/dashboards.ts';
import type { DashboardSharingService } from './dashboard-sharing-service.ts';
import type { DashboardsService } from './dashboards-service.ts';

export interface DashboardParts {
  dashboards: DashboardsService;
  dashboardSharing: DashboardSharingService;
}

export function registerDashboardsRoutes(
  app: FastifyInstance,
  { dashboards, dashboardSharing: sharing }: DashboardParts,
  limits: { publicCalls: number },
): void {
  registerEndpoint(app, contract.dashboardList, ({ person, body }) => dashboards.list(person, body));
  registerEndpoint(app, contract.dashboardDetails, ({ person, params }) => dashboards.details(person, params.id));
  registerEndpoint(app, contract.dashboardData, ({ person, params, query }) =>
    dashboards.data(person, params.id, query.Revision ?? null),
  );
  registerEndpoint(app, contract.previewTiles, ({ person, body }) => dashboards.preview(person, body.Tiles));
  registerEndpoint(app, contract.tileSources, ({ person, params }) => dashboards.sources(person, params.id));
  registerEndpoint(app, contract.saveDashboard, ({ person, body, request }) =>
    dashboards.save(person, body, idempotencyKeyOf(request)),
  );
  registerEndpoint(app, contract.deleteDashboard, async ({ person, request, params }) => {
    await dashboards.delete(person, actorOf(person, request.ip), params.id);
    return null;
  });
  registerEndpoint(app, contract.dashboardPeople, ({ person, body }) => sharing.people(person, body));
  registerEndpoint(app, contract.shareDashboard, async ({ person, request, body }) => {
    await sharing.share(person, actorOf(person, request.ip), body.Id, body.Shares);
    return null;
  });
  registerEndpoint(app, contract.publishDashboard, ({ person, request, body }) =>
    sharing.publish(person, actorOf(person, request.ip), body),
  );
  registerEndpoint(app, contract.unpublishDashboard, async ({ person, request, params }) => {
    await sharing.unpublish(person, actorOf(person, request.ip), params.id);
    return null;
  });
  registerEndpoint(app, contract.startPage, async ({ person }) => ({ DashboardId: await sharing.start(person) }));
  registerEndpoint(app, contract.setStartPage, async ({ person, body }) => {
    await sharing.setStart(person, body.DashboardId);
    return null;
  });
  registerEndpoint(app, contract.setRoleStartPages, async ({ person, request, body }) => {
    await sharing.setStartRoles(person, actorOf(person, request.ip), body.Id, body.Roles);
    return null;
  });
  registerPublicEndpoint(app, contract.publicDashboard, ({ body }) => sharing.open(body.Token), {
    callsPerMinute: limits.publicCalls,
  });
}
