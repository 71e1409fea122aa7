import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { listRights, updateRight, type ListedRight } from '#shared/contract/right-grants.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { FETCHED_ONCE } from '#renderer/ui/query/FetchedOnce.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState } from '#renderer/ui/states.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import { RightForm } from './RightForm.tsx';

const openedOf = ({ Name, Description, Revision }: ListedRight) => ({
  fields: { Name, Description },
  revision: Revision,
});

/** /rights/edit/{name}/[{keyColumnName}/] */
export function EditRightPage() {
  const { name = '' } = useParams();
  const navigate = useNavigateWhileHere();
  const query = useQuery({ ...queryOf(listRights), ...FETCHED_ONCE });
  const right = query.data?.Items.find(({ Name }) => Name === name);
  if (query.data && !right) return <NotFoundPage />;
  return (
    <Page title={t('Edit right - {name}', { name })} narrow>
      <QueryStates query={query} kind="form">
        {() =>
          right?.IsCustom ? (
            <RightForm
              opened={openedOf(right)}
              read={async () => {
                const { Items } = await call(listRights);
                return openedOf(Items.find(({ Name }) => Name === name) ?? right);
              }}
              save={async (fields, Revision) => {
                await call(updateRight, { body: { ...fields, Revision } });
                await queryClient.invalidateQueries({ queryKey: keyOf(listRights) });
                showSuccess(t('Right updated'));
                void navigate('/rights/');
              }}
            />
          ) : (
            <EmptyState title={t('This right is built in')}>{t('You can assign it, but not edit it.')}</EmptyState>
          )
        }
      </QueryStates>
    </Page>
  );
}
