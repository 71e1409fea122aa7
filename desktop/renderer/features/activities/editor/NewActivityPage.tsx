import { useQuery } from '@tanstack/react-query';
import { allowedSchemas } from '#shared/contract/activities.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { NotAllowed } from '#renderer/features/rights/OwnRights.tsx';
import { ActivityEditor } from './ActivityEditor.tsx';
import { NEW_FIELDS } from './editor-fields.ts';
import { NewWorkbook } from '#renderer/features/activities/new/NewWorkbook.tsx';
import { useDesignOfAddress } from './use-design-address.ts';

export function NewActivityPage() {
  const { data, error, refetch } = useQuery(queryOf(allowedSchemas));
  const designId = useDesignOfAddress();
  const schemas = data?.Items.map((schema) => schema.Name) ?? [];
  return (
    <Page title={t('New activity')}>
      {data && schemas.length > 0 && (
        <ActivityEditor
          id={0}
          version={1}
          initial={{ ...NEW_FIELDS, Schema: schemas[0]!, designId }}
          schemas={schemas}
          NewWorkbook={NewWorkbook}
        />
      )}
      {data && schemas.length === 0 && <NotAllowed right="sk.CreateActivity" />}
      {!data && error && <FailureState error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Card>
          <Skeleton kind="form" />
        </Card>
      )}
    </Page>
  );
}
