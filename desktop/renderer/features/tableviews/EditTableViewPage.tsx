import { HTMLSelect } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import {
  listTableColumns,
  listTables,
  tableViewDetails,
  type ConnectionTable,
  type TableColumn,
  type TableView,
  type ViewInfo,
} from '#shared/contract/tableviews.ts';
import { newViewColumn } from '#shared/rules/table-view-rules.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { said, t } from '#renderer/language/translate.ts';
import type { Opened } from '#renderer/ui/edit/send-edit.ts';
import { FormField } from '#renderer/ui/FormField.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { TableViewForm, type ViewFields } from './TableViewForm.tsx';
import './table-views.css';

/** /tableviews/new */
export function NewTableViewPage() {
  // Do not cache a list that lacks the tables of a connection, because the connection may recover.
  const tables = useQuery({
    ...queryOf(listTables),
    staleTime: ({ state }) => (state.data && state.data.Messages.length > 0 ? 0 : 60_000),
  });
  // Holds the table itself: the list is refetched while the user types, and a new list may lack the table if its
  // connection is down for a moment.
  const [chosen, setChosen] = useState<ConnectionTable | null>(null);
  return (
    <Page title={t('Create New Table View')}>
      <QueryStates query={tables} kind="form">
        {({ Items, Messages }) => (
          <>
            <Card>
              {Messages.map((message) => (
                <p key={message} className="rs-muted">
                  {said(message)}
                </p>
              ))}
              {Items.length === 0 && !chosen ? (
                <EmptyState title={t('There are no tables')}>
                  {t(
                    'This list shows tables of named connections. You need the rights to use the connection and to see the table.',
                  )}
                </EmptyState>
              ) : (
                <TableChoice tables={Items} chosen={chosen} onChoose={setChosen} />
              )}
            </Card>
            {chosen && <NewView key={tableKey(chosen)} table={chosen} />}
          </>
        )}
      </QueryStates>
    </Page>
  );
}

const tableKey = ({ ConnectionName, TableName }: ConnectionTable): string => `${ConnectionName}: ${TableName}`;

interface TableChoiceProps {
  tables: readonly ConnectionTable[];
  chosen: ConnectionTable | null;
  onChoose: (table: ConnectionTable | null) => void;
}

function TableChoice({ tables, chosen, onChoose }: TableChoiceProps) {
  const key = chosen ? tableKey(chosen) : '';
  const isListed = chosen === null || tables.some((one) => tableKey(one) === key);
  const offered = isListed ? tables : [...tables, chosen];
  const byConnection = Object.entries(Object.groupBy(offered, ({ ConnectionName }) => ConnectionName));
  return (
    <FormField label={t('Table')} required>
      {({ intent: _intent, ...field }) => (
        <HTMLSelect
          {...field}
          fill
          value={key}
          onChange={({ currentTarget }) =>
            onChoose(offered.find((one) => tableKey(one) === currentTarget.value) ?? null)
          }
        >
          <option value="">{t('Select…')}</option>
          {byConnection.map(([connection, items = []]) => (
            <optgroup key={connection} label={connection}>
              {items.map((table) => (
                <option key={tableKey(table)} value={tableKey(table)}>
                  {table.TableName}
                </option>
              ))}
            </optgroup>
          ))}
        </HTMLSelect>
      )}
    </FormField>
  );
}

function NewView({ table }: { table: ConnectionTable }) {
  const { ConnectionName, TableName } = table;
  const columns = useQuery(queryOf(listTableColumns, { params: { table: TableName }, query: { ConnectionName } }));
  return (
    <QueryStates
      query={columns}
      kind="form"
      failure={t('Failed to update table column list for table: {tableName}', { tableName: TableName })}
    >
      {({ Items }) => (
        <TableViewForm
          view={{ Id: 0, ...table }}
          opened={{ fields: { ViewName: '', Columns: Items.map(newViewColumn), RowCondition: '' }, revision: null }}
        />
      )}
    </QueryStates>
  );
}

/** /tableviews/edit/{id} */
export function EditTableViewPage() {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? <EditView key={id} id={id} /> : <NotFoundPage />;
}

function EditView({ id }: { id: number }) {
  // Do not refetch, so that the user's changes are not overwritten.
  const view = useQuery({ ...queryOf(tableViewDetails, { params: { id } }), gcTime: 0, refetchOnReconnect: false });
  return (
    <Page
      title={view.data ? t('Edit Table View - {tableName}', { tableName: view.data.TableName }) : t('Edit Table View')}
    >
      <QueryStates query={view} kind="form">
        {(found) => <EditColumns view={found} />}
      </QueryStates>
    </Page>
  );
}

/** Shows the columns of the view, followed by the other columns of the table. */
function EditColumns({ view }: { view: TableView }) {
  const { ConnectionName, TableName } = view;
  const columns = useQuery({
    ...queryOf(listTableColumns, { params: { table: TableName }, query: { ConnectionName } }),
    gcTime: 0,
  });
  return (
    <QueryStates
      query={columns}
      kind="form"
      failure={t('Failed to update table column list for table: {tableName}', { tableName: TableName })}
    >
      {({ Items }) => (
        <TableViewForm
          view={view}
          opened={openedOf(view, Items)}
          read={async () => openedOf(await call(tableViewDetails, { params: { id: view.Id } }), Items)}
        />
      )}
    </QueryStates>
  );
}

function openedOf(
  { ViewName, ViewInfo: info, Revision }: TableView,
  there: readonly TableColumn[],
): Opened<ViewFields> {
  const { Columns, RowCondition = '' } = JSON.parse(info) as ViewInfo;
  const known = new Set(Columns.map(({ ColumnName }) => ColumnName));
  const present = Columns.filter((column) => there.some(({ ColumnName }) => ColumnName === column.ColumnName));
  const added = there
    .filter(({ ColumnName }) => !known.has(ColumnName))
    .map((one) => ({ ...newViewColumn(one), Selected: false }));
  return { fields: { ViewName, Columns: [...present, ...added], RowCondition }, revision: Revision };
}
