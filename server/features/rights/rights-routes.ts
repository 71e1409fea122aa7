import type { FastifyInstance } from 'fastify';
import * as contract from '#shared/contract/right-grants.ts';
import * as security from '#shared/contract/security.ts';
import { AppError } from '#server/base/app-error.ts';
import { actorOf } from '#server/access/actor.ts';
import { NO_PERMISSION } from '#server/http/access.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import type { GrantsService } from './grants-service.ts';
import type { RightDefinitions } from './right-definitions.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { SecurityMatrixDownloads } from './security-matrix-downloads.ts';
import type { SecurityMatrixService } from './security-matrix-service.ts';

export interface RightsRoutesDeps {
  rights: RightsService;
  definitions: RightDefinitions;
  grants: GrantsService;
  matrix: SecurityMatrixService;
  downloads: SecurityMatrixDownloads;
}

/** The request contains all displayed rows: thousands of users, each with their rights. */
const DOWNLOAD_BODY_LIMIT = 128 * 1024 * 1024;

export function registerRightsRoutes(app: FastifyInstance, deps: RightsRoutesDeps): void {
  registerMatrix(app, deps);
  registerDefinitions(app, deps);
  registerChanges(app, deps.grants);
}

function registerMatrix(app: FastifyInstance, { rights, matrix, downloads }: RightsRoutesDeps): void {
  const bodyLimit = DOWNLOAD_BODY_LIMIT;
  registerEndpoint(app, security.userRightList, ({ reply }) => {
    void reply.type('application/json; charset=utf-8');
    return reply.send(matrix.userRights()) as never;
  });
  registerEndpoint(app, security.roleRightList, async ({ person, query }) => {
    const may =
      (await rights.has(person, 'sk.ViewSecurityMatrix')) ||
      (query.RoleName !== undefined && (await rights.has(person, 'sk.ManageRoles')));
    if (!may) throw new AppError('forbidden', 403, NO_PERMISSION);
    return { Items: await matrix.roleRights(query.RoleName) };
  });
  registerEndpoint(app, security.internetRightList, async () => ({ Items: await matrix.internetRights() }));
  registerEndpoint(app, security.downloadUserRights, ({ person, body }) => downloads.userRights(person, body), {
    bodyLimit,
  });
  registerEndpoint(app, security.downloadInternetRights, ({ person, body }) => downloads.internetRights(person, body), {
    bodyLimit,
  });
}

function registerDefinitions(app: FastifyInstance, { definitions, grants }: RightsRoutesDeps): void {
  registerEndpoint(app, contract.listRights, async () => ({ Items: await definitions.list() }));
  registerEndpoint(app, contract.createRight, async ({ person, body, request }) => {
    await definitions.create(actorOf(person, request.ip), body);
    return null;
  });
  registerEndpoint(app, contract.updateRight, async ({ person, body, request }) => {
    await definitions.update(actorOf(person, request.ip), body);
    return null;
  });
  registerEndpoint(app, contract.specificRights, ({ params }) => grants.specific(params.name, params.keyColumn));
  registerEndpoint(app, contract.grantInfo, ({ params, query }) => grants.info(params, query));
  registerEndpoint(app, contract.specificGrantInfo, ({ params, query }) => grants.info(params, query));
  registerEndpoint(app, contract.internetInfo, ({ params }) => grants.internet(params));
  registerEndpoint(app, contract.specificInternetInfo, ({ params }) => grants.internet(params));
}

/** Each change has one call for All and one for a value. */
function registerChanges(app: FastifyInstance, grants: GrantsService): void {
  for (const change of contract.GRANT_CHANGES) {
    for (const endpoint of Object.values(contract.userGrants[change])) {
      registerEndpoint(app, endpoint, async ({ person, params, body, request }) => {
        await grants.changeUsers(actorOf(person, request.ip), change, params, body);
        return null;
      });
    }
    for (const endpoint of Object.values(contract.roleGrants[change])) {
      registerEndpoint(app, endpoint, async ({ person, params, body, request }) => {
        await grants.changeRoles(actorOf(person, request.ip), change, params, body);
        return null;
      });
    }
    for (const endpoint of Object.values(contract.internetGrants[change])) {
      registerEndpoint(app, endpoint, async ({ person, params, request }) => {
        await grants.changeInternet(actorOf(person, request.ip), change, params);
        return null;
      });
    }
  }
}
