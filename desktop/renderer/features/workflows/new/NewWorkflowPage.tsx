import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { checklistSchemas } from '#shared/contract/checklists.ts';
import { copyWorkflow } from '#shared/contract/new-workflows.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotAllowed } from '#renderer/features/rights/OwnRights.tsx';
import { t } from '#renderer/language/translate.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { NewWorkflowEditor } from './NewWorkflowEditor.tsx';

const ONCE = { gcTime: 0, staleTime: Infinity, refetchOnReconnect: false };

/** /workflows/new, and /workflows/new?from={id}, which starts from a copy of a workflow or checklist. */
export function NewWorkflowPage() {
  const from = Number(useSearchParams()[0].get('from') ?? 0);
  const id = Number.isSafeInteger(from) && from > 0 ? from : null;
  return (
    <Page key={id} title={t('New workflow')}>
      <Start copyOf={id} />
    </Page>
  );
}

/** @param copyOf id of the workflow or checklist to start from */
function Start({ copyOf }: { copyOf: number | null }) {
  const schemas = useQuery({ ...queryOf(checklistSchemas), ...ONCE });
  const copy = useQuery({
    ...queryOf(copyWorkflow, { params: { id: copyOf ?? 0 } }),
    ...ONCE,
    enabled: copyOf !== null,
  });
  return (
    <QueryStates query={schemas} kind="form">
      {({ Items }) => {
        const [first, ...others] = Items.map(({ Name }) => Name);
        if (first === undefined) return <NotAllowed right="sk.EditChecklist" />;
        if (copyOf === null) return <NewWorkflowEditor copyOf={null} copy={null} schemas={[first, ...others]} />;
        return (
          <QueryStates query={copy} kind="form">
            {(found) => <NewWorkflowEditor copyOf={copyOf} copy={found} schemas={[first, ...others]} />}
          </QueryStates>
        );
      }}
    </QueryStates>
  );
}
