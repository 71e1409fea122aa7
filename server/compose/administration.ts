/** Composes the parts around users, roles, rights and their logs. */
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/config/config-schema.ts';
import type { Database } from '#server/db/database.ts';
import { activityKeyValues } from '#server/features/activities/activity-key-values.ts';
import { registerApiKeysRoutes } from '#server/features/api-keys/api-keys-routes.ts';
import { createApiKeysService, type ApiKeysService } from '#server/features/api-keys/api-keys-service.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { createGrantsService, type GrantsService } from '#server/features/rights/grants-service.ts';
import type { KeyValues } from '#server/features/rights/key-values.ts';
import { createEscalationGuard, type EscalationGuard } from '#server/features/rights/privilege-escalation.ts';
import { createRightDefinitions, type RightDefinitions } from '#server/features/rights/right-definitions.ts';
import { registerRightsRoutes } from '#server/features/rights/rights-routes.ts';
import type { RightsService } from '#server/features/rights/rights-service.ts';
import { createSecurityMatrixDownloads } from '#server/features/rights/security-matrix-downloads.ts';
import { createSecurityMatrixService } from '#server/features/rights/security-matrix-service.ts';
import { registerRolesRoutes } from '#server/features/roles/roles-routes.ts';
import { createRolesService } from '#server/features/roles/roles-service.ts';
import { createTableWorkbookBuilder } from '#server/features/runs/table-workbook-builder.ts';
import { createSchemasAdminService } from '#server/features/schemas/schemas-admin-service.ts';
import { registerSchemasRoutes } from '#server/features/schemas/schemas-routes.ts';
import { registerSecurityActionsRoutes } from '#server/features/security-actions/security-actions-routes.ts';
import { createSecurityActionsService } from '#server/features/security-actions/security-actions-service.ts';
import type { PasswordKeysService } from '#server/features/sessions/password-keys-service.ts';
import type { SessionsService } from '#server/features/sessions/sessions-service.ts';
import type { PasswordPolicy } from '#server/features/users/password-policy.ts';
import type { PasswordLinks } from '#server/features/users/password-links.ts';
import type { UserOrigins } from '#server/features/users/user-origins.ts';
import { tableKeyValues } from '#server/features/tableviews/table-keys.ts';
import { registerUsersRoutes } from '#server/features/users/users-routes.ts';
import { createUsersAdminService, type UsersAdminService } from '#server/features/users/users-admin-service.ts';

export interface AdministrationDeps {
  config: Pick<Config, 'allowAdminToSetPassword' | 'enableUserApiKeys'>;
  database: Database;
  rights: RightsService;
  keys: PasswordKeysService;
  policy: PasswordPolicy;
  sessions: SessionsService;
  links: PasswordLinks;
  /** Where non-local users may come from. */
  origins: UserOrigins;
  /** The values to which sk.UseConnection can be limited. */
  connections: { Name: KeyValues };
}

export interface Administration {
  users: UsersAdminService;
  apiKeys: ApiKeysService;
  definitions: RightDefinitions;
  escalationGuard: EscalationGuard;
  grants: GrantsService;
}

export function createAdministration({ config, connections, ...deps }: AdministrationDeps): Administration {
  const { database, rights } = deps;
  const sources = {
    Activities: activityKeyValues(database),
    Checklists: { Schema: activityKeyValues(database).Schema },
    Connections: connections,
    Tables: tableKeyValues(database, connections.Name),
  };
  const definitions = createRightDefinitions(database, sources);
  const escalationGuard = createEscalationGuard({ database, rights, definitions });
  const { allowAdminToSetPassword, enableUserApiKeys } = config;
  const users = createUsersAdminService({ ...deps, escalationGuard, allowAdminToSetPassword, enableUserApiKeys });
  const apiKeys = createApiKeysService({ database, users, escalationGuard, enabled: enableUserApiKeys });
  const grants = createGrantsService({ database, definitions, escalationGuard });
  return { users, apiKeys, definitions, escalationGuard, grants };
}

interface AdministrationRoutesDeps {
  config: Pick<Config, 'schemas'>;
  database: Database;
  rights: RightsService;
  files: FilesService;
}

export function registerAdministrationRoutes(
  http: FastifyInstance,
  { users, apiKeys, definitions, escalationGuard, grants }: Administration,
  { config, database, rights, files }: AdministrationRoutesDeps,
): void {
  registerUsersRoutes(http, users);
  registerApiKeysRoutes(http, apiKeys);
  registerRolesRoutes(http, createRolesService({ database, escalationGuard }));
  registerRightsRoutes(http, {
    rights,
    definitions,
    grants,
    matrix: createSecurityMatrixService(database, definitions),
    downloads: createSecurityMatrixDownloads(files, createTableWorkbookBuilder(1)),
  });
  registerSchemasRoutes(http, createSchemasAdminService(database, config.schemas));
  registerSecurityActionsRoutes(http, createSecurityActionsService(database, files));
}
