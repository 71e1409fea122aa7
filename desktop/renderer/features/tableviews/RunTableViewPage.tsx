import { Button, ButtonGroup, Callout } from '@blueprintjs/core';
import { Edit, Export } from '@blueprintjs/icons';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useParams } from 'react-router-dom';
import {
  countTableViewRows,
  exportTableView,
  MAX_SORT_COLUMNS,
  tableViewDetails,
  tableViewValues,
  type ColumnFilter,
  type FilterCriteria,
  type TableValues,
  type TableView,
  type ViewChoice,
} from '#shared/contract/tableviews.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { downloadByToken } from '#renderer/api/download.ts';
import { keepPrevious, keyOf, queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { useRight } from '#renderer/app/profile.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { numberText } from '#renderer/language/numbers.ts';
import { rich, said, t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { showError } from '#renderer/ui/toaster.tsx';
import { presentValues, useAddressValues } from '#renderer/ui/use-address-values.ts';
import { fetchValues } from './fetch-values.ts';
import { OwnViews } from './OwnViews.tsx';
import { ShownColumns } from './ShownColumns.tsx';
import { ValuesGrid } from './ValuesGrid.tsx';
import { ViewCondition } from './ViewCondition.tsx';
import { ViewFilters } from './ViewFilters.tsx';
import { choiceOf, readView, sortBy, stateOf, writeView, type ViewState } from './view-address.ts';
import './table-views.css';

/** /tableviews/run/{id} */
export function RunTableViewPage() {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? <ViewOf key={id} id={id} /> : <NotFoundPage />;
}

function ViewOf({ id }: { id: number }) {
  const view = useQuery(queryOf(tableViewDetails, { params: { id } }));
  const canManage = useRight('sk.ManageTableViews') === true;
  const title = view.data
    ? t('{viewName} on {tableName}', { viewName: view.data.ViewName, tableName: view.data.TableName })
    : t('Table View');
  return (
    <Page
      title={title}
      menu={[canManage && { text: t('Edit'), icon: <Edit />, to: `/tableviews/edit/${id}` }]}
      actions={view.data && <ViewActions id={id} />}
    >
      <QueryStates query={view}>{(found) => <Values view={found} title={title} />}</QueryStates>
    </Page>
  );
}

/** Reads the choice from the address, because the rendered state may be older. */
const presentChoice = (): ViewChoice => choiceOf(readView(presentValues()));

/** Requests all columns, so that each can be filtered. The screen decides which of them are shown. */
const criteriaOf = (state: ViewState): FilterCriteria => choiceOf({ ...state, columns: null });

function useValues(id: number, state: ViewState) {
  const criteria = criteriaOf(state);
  return useInfiniteQuery({
    ...keepPrevious,
    queryKey: [...keyOf(tableViewValues), id, criteria],
    queryFn: ({ pageParam, signal }) => fetchValues(id, { ...criteria, After: pageParam }, signal),
    initialPageParam: null as TableValues['Next'],
    getNextPageParam: ({ Next }) => Next,
  });
}

function Values({ view, title }: { view: TableView; title: string }) {
  const [params, changeAddress] = useAddressValues();
  const state = useMemo(() => readView(params), [params]);
  const values = useValues(view.Id, state);
  const pages = values.data?.pages;
  const write = useCallback(
    (change: (before: ViewState) => ViewState): void =>
      changeAddress((present) => writeView(change(readView(present)))),
    [changeAddress],
  );
  const setFilters = useCallback(
    (filters: readonly ColumnFilter[]): void => write((before) => ({ ...before, filters })),
    [write],
  );
  const setCondition = useCallback((condition: string): void => write((before) => ({ ...before, condition })), [write]);
  const onSort = useCallback(
    (name: string, next: boolean | null): void =>
      write((before) => ({ ...before, sort: sortBy(before.sort, name, next, MAX_SORT_COLUMNS) })),
    [write],
  );
  const failure = !pages && values.error && <FailureState error={values.error} onRetry={() => void values.refetch()} />;
  const [columns, setColumns] = useState<TableValues['Columns'] | null>(null);
  // Preserve the columns if a filter is refused, so that the user can fix it.
  const found = pages?.[0]?.Columns;
  if (found && found !== columns) setColumns(found);
  if (!columns) {
    if (!failure) return <Skeleton kind="grid" />;
    const hasState = state.filters.length + state.sort.length > 0 || state.condition !== '';
    return (
      <>
        {failure}
        {hasState && <Button text={t('Clear filters')} onClick={() => changeAddress(() => new URLSearchParams())} />}
      </>
    );
  }
  const message = pages?.[0]?.Message ?? '';
  const hint = pages?.find(({ IndexHint }) => IndexHint !== '')?.IndexHint ?? '';
  return (
    <>
      <div className="rs-bar rs-view-choices">
        <OwnViews
          viewId={view.Id}
          choice={choiceOf(state)}
          presentChoice={presentChoice}
          chosen={state.own}
          onChoose={({ Id, Choice }) => write(() => stateOf(Choice, Id))}
          onSaved={(own) => write((before) => ({ ...before, own }))}
        />
        <ShownColumns
          columns={columns}
          shown={state.columns}
          onChange={(to) => write((before) => ({ ...before, columns: to(before.columns) }))}
        />
      </div>
      <ViewFilters columns={columns} filters={state.filters} onChange={setFilters} />
      <ViewCondition viewId={view.Id} columns={columns} condition={state.condition} onChange={setCondition} />
      {message !== '' && <p className="rs-muted">{said(message)}</p>}
      {hint !== '' && <IndexHint statement={hint} />}
      {failure ||
        (pages ? (
          <ValuesGrid
            label={title}
            pages={pages}
            shown={state.columns}
            sort={state.sort}
            onSort={onSort}
            more={values}
            isOutdated={values.isPlaceholderData}
          />
        ) : (
          <Skeleton kind="grid" />
        ))}
      <RowCount id={view.Id} state={state} />
    </>
  );
}

/** Hint for users who may edit views: an index that would have made the page faster. */
function IndexHint({ statement }: { statement: string }) {
  return (
    <Callout compact intent="warning" className="rs-view-hint">
      {rich(
        'This took more than a second, and no index of the table begins with the columns that you filter or sort by. This index would help:<pre>{statement}</pre>',
        { statement, pre: <pre className="rs-view-hint-text" /> },
      )}
    </Callout>
  );
}

const uncounted = (estimate: number | null): string =>
  estimate === null
    ? t('More than can be counted in two seconds')
    : t('About {estimate} rows according to the database statistics; an exact count takes more than two seconds', {
        estimate: estimateText(estimate),
      });

/** Rounded to two digits, because statistics are no more precise: '1.2 million'. */
const estimateText = (rows: number): string =>
  numberText(rows, { notation: 'compact', compactDisplay: 'long', maximumSignificantDigits: 2 });

function RowCount({ id, state }: { id: number; state: ViewState }) {
  const body = { ...criteriaOf(state), Sort: [] };
  const count = useQuery({ ...queryOf(countTableViewRows, { params: { id }, body }), enabled: false });
  const found = count.data?.Count;
  return (
    <div className="rs-bar rs-view-count" role="status">
      <Button
        variant="minimal"
        text={t('Count rows')}
        loading={count.isFetching}
        onClick={() => void count.refetch()}
      />
      {count.error && <span>{said(toFailure(count.error).message)}</span>}
      {found === null && <span>{uncounted(count.data?.Estimate ?? null)}</span>}
      {found !== undefined && found !== null && (
        <span>{t('{found, plural, one {# row} other {# rows}}', { found })}</span>
      )}
    </div>
  );
}

/** Exports all filtered rows as a file. */
function ViewActions({ id }: { id: number }) {
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (format: 'csv' | 'xlsx') => call(exportTableView, { params: { id, format }, body: presentChoice() }),
    onSuccess: (token) => void downloadByToken(token),
    onError: (error) => showError(toFailure(error).message),
  });
  const button = (format: 'csv' | 'xlsx', text: string) => (
    <Button
      icon={<Export />}
      text={text}
      loading={isPending && variables === format}
      disabled={isPending}
      onClick={() => mutate(format)}
    />
  );
  return (
    <ButtonGroup>
      {button('xlsx', t('Export to Excel'))}
      {button('csv', t('Export to CSV'))}
    </ButtonGroup>
  );
}
