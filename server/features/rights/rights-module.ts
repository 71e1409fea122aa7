import type { FastifyInstance } from 'fastify';
import type { KeyValues, KeyValueSources } from '#server/access/rights/key-values.ts';
import { createEscalationGuard } from '#server/access/rights/privilege-escalation.ts';
import type { Core } from '#server/features/core.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { createTableWorkbookBuilder } from '#server/sheets/table-workbook-builder.ts';
import { connectionKeyValues } from './connection-key-values.ts';
import { createGrantsService, type GrantsService } from './grants-service.ts';
import { registerOwnRightsRoutes } from './own-rights-routes.ts';
import { createRightDefinitions, type RightDefinitions } from './right-definitions.ts';
import { registerRightsRoutes } from './rights-routes.ts';
import { createSecurityMatrixDownloads } from './security-matrix-downloads.ts';
import { createSecurityMatrixService } from './security-matrix-service.ts';

export interface Needs extends Core {
  /** Values to which rights can be limited. */
  activityKeys: { Schema: KeyValues; Id: KeyValues };
  tableKeys: (connections: KeyValues) => KeyValueSources[string];
}

export interface RouteNeeds extends Core {
  definitions: RightDefinitions;
  grants: GrantsService;
  files: FilesService;
}

export const rightsModule = {
  create: (core: Needs) => {
    const { database, connectionNames, activityKeys, tableKeys } = core;
    const connections = connectionKeyValues({ names: connectionNames });
    const definitions = createRightDefinitions(database, {
      Activities: activityKeys,
      Checklists: { Schema: activityKeys.Schema },
      Connections: connections,
      Tables: tableKeys(connections.Name),
    });
    const escalationGuard = createEscalationGuard({ ...core, definitions });
    return { definitions, escalationGuard, grants: createGrantsService({ database, definitions, escalationGuard }) };
  },
  register: (http: FastifyInstance, parts: RouteNeeds): void => {
    const { database, definitions, files } = parts;
    registerRightsRoutes(http, {
      ...parts,
      matrix: createSecurityMatrixService(database, definitions),
      downloads: createSecurityMatrixDownloads(files, createTableWorkbookBuilder(1)),
    });
    registerOwnRights(http, parts);
  },
};

function registerOwnRights(http: FastifyInstance, { database, rights, access, checklistAccess }: Core): void {
  const { knex } = database;
  registerOwnRightsRoutes(http, {
    rights,
    activityKeys: async (person, id) => {
      const { Id, Schema } = (await access.require(knex, person, id)).activity;
      return { Id, Schema };
    },
    checklistKeys: async (person, id) => {
      const { Schema } = (await checklistAccess.require(knex, person, id)).checklist;
      return { Schema };
    },
  });
}
