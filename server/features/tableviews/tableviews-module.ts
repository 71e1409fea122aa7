import type { FastifyInstance } from 'fastify';
import type { KeyValues } from '#server/access/rights/key-values.ts';
import type { Core } from '#server/features/core.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { createOwnViewsService } from './own-views-service.ts';
import { createTableAccess, type TableAccess } from './table-access.ts';
import { tableKeyValues } from './table-keys.ts';
import { createTableValuesService } from './table-values-service.ts';
import { registerTableViewsRoutes } from './table-views-routes.ts';
import { createTableViewsService, type TableViewsService } from './table-views-service.ts';

export interface RouteNeeds extends Core {
  files: FilesService;
  tableAccess: TableAccess;
  tableViews: TableViewsService;
}

export const tableviewsModule = {
  create: ({ database, connections, rights }: Core) => {
    const tableAccess = createTableAccess(connections, rights);
    return {
      tableAccess,
      tableViews: createTableViewsService(database, tableAccess),
      /** Values to which rights on tables can be limited. */
      tableKeys: (connectionKeys: KeyValues) => tableKeyValues(database, connectionKeys),
    };
  },
  register: (http: FastifyInstance, { database, files, tableAccess, tableViews }: RouteNeeds): void =>
    registerTableViewsRoutes(http, {
      tableViews,
      tableValues: createTableValuesService(tableViews, tableAccess, files),
      ownViews: createOwnViewsService(database, tableViews),
    }),
};
