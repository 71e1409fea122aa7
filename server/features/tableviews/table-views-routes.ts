import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/base/app-error.ts';
import { clientGone } from '#server/http/client-gone.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import * as contract from '#shared/contract/tableviews.ts';
import type { OwnViewsService } from './own-views-service.ts';
import type { TableValuesService } from './table-values-service.ts';
import type { TableViewsService } from './table-views-service.ts';

export interface TableViewsRoutesDeps {
  tableViews: TableViewsService;
  tableValues: TableValuesService;
  ownViews: OwnViewsService;
}

export function registerTableViewsRoutes(
  app: FastifyInstance,
  { tableViews, tableValues, ownViews }: TableViewsRoutesDeps,
): void {
  registerOwnViews(app, ownViews);
  registerEndpoint(app, contract.listTableViews, async ({ person }) => ({ Items: await tableViews.list(person) }));
  registerEndpoint(app, contract.listTables, ({ person, reply }) => tableViews.tables(person, clientGone(reply)));
  registerEndpoint(app, contract.listTableColumns, async ({ person, params, query, reply }) => ({
    Items: await tableViews.columns(person, params.table, query.ConnectionName, clientGone(reply)),
  }));
  registerEndpoint(app, contract.tableViewDetails, ({ person, params }) => tableViews.details(person, params.id));
  registerEndpoint(app, contract.createTableView, async ({ person, body, reply }) => ({
    Id: await tableViews.create(person, body, clientGone(reply)),
  }));
  registerEndpoint(app, contract.updateTableView, async ({ person, body, reply }) => {
    await tableViews.update(person, body, clientGone(reply));
    return { Id: body.Id };
  });
  registerEndpoint(app, contract.deleteTableView, async ({ person, params }) => {
    await tableViews.delete(person, params.id);
    return { Id: params.id };
  });
  registerEndpoint(app, contract.sampleTableRows, ({ person, body, reply }) =>
    tableViews.sample(person, body, clientGone(reply)),
  );
  registerEndpoint(app, contract.tableViewValues, async ({ person, params, body, reply }) => {
    const { FilterCriteria, ...beside } = body;
    if (FilterCriteria === undefined) return tableValues.page(person, params.id, beside, clientGone(reply));
    requireNothing(Object.keys(beside));
    return { TableValues: await tableValues.page(person, params.id, FilterCriteria ?? {}, clientGone(reply)) };
  });
  registerEndpoint(app, contract.countTableViewRows, ({ person, params, body, reply }) =>
    tableValues.count(person, params.id, body, clientGone(reply)),
  );
  registerEndpoint(app, contract.exportTableView, ({ person, params, body, reply }) =>
    tableValues.export(person, params.id, { format: params.format, criteria: body }, clientGone(reply)),
  );
}

/** Throws an AppError 400 if criteria are given twice, because it would be unclear which ones apply. */
function requireNothing(beside: readonly string[]): void {
  if (beside.length === 0) return;
  const message = `The body contains FilterCriteria and ${beside.join(', ')}: put everything into FilterCriteria, or omit FilterCriteria`;
  throw new AppError('criteriaTwice', 400, message);
}

function registerOwnViews(app: FastifyInstance, ownViews: OwnViewsService): void {
  registerEndpoint(app, contract.listOwnViews, async ({ person, params }) => ({
    Items: await ownViews.list(person, params.id),
  }));
  registerEndpoint(app, contract.saveOwnView, async ({ person, params, body }) => ({
    Id: await ownViews.save(person, params.id, body),
  }));
  registerEndpoint(app, contract.renameOwnView, async ({ person, params, body }) => {
    await ownViews.rename(person, params.id, body.Name);
    return { Id: params.id };
  });
  registerEndpoint(app, contract.deleteOwnView, async ({ person, params }) => {
    await ownViews.delete(person, params.id);
    return { Id: params.id };
  });
}
