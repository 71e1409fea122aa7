import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useParams } from 'react-router-dom';
import { AlertsCard } from '#renderer/features/alerts/AlertsCard.tsx';
import { TriggersCard } from '#renderer/features/triggers/TriggersCard.tsx';
import { checklistSchemas, type Checklist } from '#shared/contract/checklists.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { NotAllowed } from '#renderer/features/rights/OwnRights.tsx';
import { draftOf, NEW_CHECKLIST } from './checklist-draft.ts';
import { ChecklistScheduleCards } from './schedules/ChecklistScheduleCards.tsx';
import { ChecklistForm } from './ChecklistForm.tsx';
import { useEditedChecklist } from './use-edited-checklist.ts';

/** /checklists/new */
export function NewChecklistPage() {
  const schemas = useQuery({ ...queryOf(checklistSchemas), gcTime: 0, refetchOnReconnect: false });
  return (
    <Page title={t('New checklist')}>
      <QueryStates query={schemas} kind="form">
        {({ Items }) => {
          const [first, ...others] = Items.map(({ Name }) => Name);
          if (first === undefined) return <NotAllowed right="sk.EditChecklist" />;
          return (
            <ChecklistForm
              id={0}
              revision={null}
              initial={newIn(first)}
              schemas={[first, ...others]}
              isLocked={false}
            />
          );
        }}
      </QueryStates>
    </Page>
  );
}

const newIn = (Schema: string) => ({ ...NEW_CHECKLIST, Schema });

/** /checklists/edit/{id} */
export function EditChecklistPage() {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? <EditPage key={id} id={id} /> : <NotFoundPage />;
}

function EditPage({ id }: { id: number }) {
  const { query, menu } = useEditedChecklist(id, 'edit');
  const { data } = query;
  return (
    <Page title={data ? t('Edit checklist - {name}', { name: data.Name }) : t('Edit checklist')} menu={menu}>
      <QueryStates query={query} kind="form">
        {(checklist) =>
          checklist.CanEdit ? (
            <Editor checklist={checklist} />
          ) : (
            <NotAllowed right="sk.EditChecklist" of={{ ChecklistId: id }} />
          )
        }
      </QueryStates>
    </Page>
  );
}

function Editor({ checklist }: { checklist: Checklist }) {
  const draft = useMemo(() => draftOf(checklist), [checklist]);
  return (
    <>
      <ChecklistForm
        id={checklist.Id}
        revision={checklist.Revision}
        initial={draft}
        schemas={[]}
        isLocked={checklist.Workflow !== null}
      />
      <ChecklistScheduleCards checklistId={checklist.Id} />
      <TriggersCard kind="checklists" id={checklist.Id} />
      <AlertsCard owner={{ kind: 'checklists', id: checklist.Id }} />
    </>
  );
}
