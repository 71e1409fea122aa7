import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { allowedSchemas, listActivities } from '#shared/contract/activities.ts';
import { deleteSchema, listAllSchemas, orderSchemas, type ManagedSchema } from '#shared/contract/schemas.ts';
import { NO_PERMISSION } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { useProfile } from '#renderer/app/profile.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { DeleteDialog } from '#renderer/ui/DeleteDialog.tsx';
import { DataGrid } from '#renderer/ui/grid/DataGrid.tsx';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { NewSchema } from './NewSchema.tsx';
import { RenameSchema } from './RenameSchema.tsx';
import { schemaColumns } from './schema-columns.tsx';

const TOUCHED = [listAllSchemas, listActivities, allowedSchemas] as const;
const LIST_ROWS = 17;

/** /schemas, for user administrators. */
export function SchemasPage() {
  const profile = useProfile();
  const query = useQuery({ ...queryOf(listAllSchemas), enabled: profile?.IsUserAdmin === true });
  return (
    <Page
      title={t('Schemas')}
      description={t(
        'Each activity and checklist belongs to a schema, and rights can be limited to schemas. Lists show schemas in this order.',
      )}
    >
      {profile && !profile.IsUserAdmin && <EmptyState title={NO_PERMISSION} />}
      {profile?.IsUserAdmin && <QueryStates query={query}>{({ Items }) => <SchemaList schemas={Items} />}</QueryStates>}
    </Page>
  );
}

function SchemaList({ schemas }: { schemas: ManagedSchema[] }) {
  const { isBusy, change } = useChange(TOUCHED);
  const [renamed, setRenamed] = useState<ManagedSchema | null>(null);
  const [doomed, setDoomed] = useState<ManagedSchema | null>(null);
  const columns = useMemo(() => {
    const move = (at: number, by: 1 | -1): void => {
      const Names = schemas.map(({ Name }) => Name);
      Names.splice(at + by, 0, ...Names.splice(at, 1));
      void change(() => call(orderSchemas, { body: { Names } }));
    };
    return schemaColumns({ schemas, isBusy, move, rename: setRenamed, remove: setDoomed });
  }, [schemas, isBusy, change]);
  const remove = async ({ Name }: ManagedSchema): Promise<void> => {
    if (await change(() => call(deleteSchema, { body: { Name } }), t('The schema was deleted'))) setDoomed(null);
  };
  return (
    <>
      <NewSchema names={schemas.map(({ Name }) => Name)} touched={TOUCHED} />
      <DataGrid
        label={t('Schemas')}
        rows={schemas}
        columns={columns}
        sortable={false}
        empty={t('There is no schema')}
        maxRows={LIST_ROWS}
      />
      {renamed && <RenameSchema schema={renamed} touched={TOUCHED} onClose={() => setRenamed(null)} />}
      <DeleteDialog
        isOpen={doomed !== null}
        title={t('Delete schema')}
        isBusy={isBusy}
        onCancel={() => setDoomed(null)}
        onConfirm={() => doomed && void remove(doomed)}
      >
        {t('You will no longer be able to add anything to {displayName}.', { displayName: doomed?.DisplayName ?? '' })}
      </DeleteDialog>
    </>
  );
}
