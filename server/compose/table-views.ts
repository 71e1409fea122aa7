/** Composes the parts around table views. */
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import type { Database } from '#server/db/database.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { createOwnViewsService, type OwnViewsService } from '#server/features/tableviews/own-views-service.ts';
import { createTableAccess } from '#server/features/tableviews/table-access.ts';
import { createTableValuesService, type TableValuesService } from '#server/features/tableviews/table-values-service.ts';
import { createTableViewsService, type TableViewsService } from '#server/features/tableviews/table-views-service.ts';

export interface TableViewParts {
  tableViews: TableViewsService;
  tableValues: TableValuesService;
  ownViews: OwnViewsService;
}

interface Deps {
  database: Database;
  connections: ConnectionAccess;
  rights: RightsService;
  files: FilesService;
}

export function createTableViewParts({ database, connections, rights, files }: Deps): TableViewParts {
  const access = createTableAccess(connections, rights);
  const tableViews = createTableViewsService(database, access);
  return {
    tableViews,
    tableValues: createTableValuesService(tableViews, access, files),
    ownViews: createOwnViewsService(database, tableViews),
  };
}
