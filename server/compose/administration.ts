/** Composes the parts around users, roles, rights and their logs. */
import type { FastifyInstance } from 'fastify';
import type { Log } from '#server/base/log.ts';
import type { Config } from '#server/config/config-schema.ts';
import type { Database } from '#server/db/database.ts';
import { activityKeyValues } from '#server/features/activities/activity-key-values.ts';
import { registerApiKeysRoutes } from '#server/features/api-keys/api-keys-routes.ts';
import { createApiKeysService, type ApiKeysService } from '#server/features/api-keys/api-keys-service.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { type GrantsService, createGrantsService } from '#server/features/rights/grants-service.ts';
import type { KeyValues } from '#server/access/rights/key-values.ts';
import { type EscalationGuard, createEscalationGuard } from '#server/access/rights/privilege-escalation.ts';
import { createRightDefinitions, type RightDefinitions } from '#server/features/rights/right-definitions.ts';
import { registerRightsRoutes } from '#server/features/rights/rights-routes.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { createSecurityMatrixDownloads } from '#server/features/rights/security-matrix-downloads.ts';
import { createSecurityMatrixService } from '#server/features/rights/security-matrix-service.ts';
import { registerRolesRoutes } from '#server/features/roles/roles-routes.ts';
import { createRolesService } from '#server/features/roles/roles-service.ts';
import { createTableWorkbookBuilder } from '#server/sheets/table-workbook-builder.ts';
import { createSchemasAdminService } from '#server/features/schemas/schemas-admin-service.ts';
import { registerSchemasRoutes } from '#server/features/schemas/schemas-routes.ts';
import { registerSecurityActionsRoutes } from '#server/features/security-actions/security-actions-routes.ts';
import { createSecurityActionsService } from '#server/features/security-actions/security-actions-service.ts';
import type { PasswordKeysService } from '#server/features/sessions/password-keys-service.ts';
import type { SessionsService } from '#server/features/sessions/sessions-service.ts';
import type { PasswordPolicy } from '#server/access/sign-in/password-policy.ts';
import type { PasswordLinks } from '#server/features/users/password-links.ts';
import type { UserOrigins } from '#server/features/users/user-origins.ts';
import { tableKeyValues } from '#server/features/tableviews/table-keys.ts';
import { registerUserImportRoutes } from '#server/features/user-import/user-import-routes.ts';
import { createUserImportService } from '#server/features/user-import/user-import-service.ts';
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
  log: Log;
}

export function registerAdministrationRoutes(
  http: FastifyInstance,
  { users, apiKeys, definitions, escalationGuard, grants }: Administration,
  { config, database, rights, files, log }: AdministrationRoutesDeps,
): void {
  const roles = createRolesService({ database, escalationGuard });
  registerUsersRoutes(http, users);
  registerUserImportRoutes(http, createUserImportService({ database, users, roles, rights, log }));
  registerApiKeysRoutes(http, apiKeys);
  registerRolesRoutes(http, roles);
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
