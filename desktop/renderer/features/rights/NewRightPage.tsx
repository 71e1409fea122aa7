import { createRight, listRights } from '#shared/contract/right-grants.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { useRight } from '#renderer/app/profile.ts';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { NotAllowed } from '#renderer/features/rights/OwnRights.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import { assignPath } from './right-paths.ts';
import { RightForm } from './RightForm.tsx';

const EMPTY = { fields: { Name: '', Description: '' }, revision: null };

/** /rights/new/ */
export function NewRightPage() {
  const navigate = useNavigateWhileHere();
  const may = useRight('sk.ManageRights');
  return (
    <Page
      title={t('New right')}
      description={t('A custom right for workbooks: only people who have it can fill in inputs that require it.')}
      narrow
    >
      {may === false ? (
        <NotAllowed right="sk.ManageRights" />
      ) : (
        <RightForm
          opened={EMPTY}
          save={async (body) => {
            await call(createRight, { body });
            await queryClient.invalidateQueries({ queryKey: keyOf(listRights) });
            showSuccess(t('New right created'));
            void navigate(assignPath({ name: body.Name }));
          }}
        />
      )}
    </Page>
  );
}
