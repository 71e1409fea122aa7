import { useEffect, useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import {
  createTableView,
  listTableViews,
  tableViewDetails,
  tableViewValues,
  updateTableView,
  CONDITION_MAX,
  VIEW_NAME_MAX,
  type TableView,
  type ViewColumn,
} from '#shared/contract/tableviews.ts';
import { tableViewIssues, type TableViewIssue } from '#shared/rules/table-view-rules.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { useSaving } from '#renderer/ui/query/use-saving.ts';
import { t } from '#renderer/language/translate.ts';
import { EditConflict } from '#renderer/ui/edit/EditConflict.tsx';
import type { Opened } from '#renderer/ui/edit/send-edit.ts';
import { useEdited } from '#renderer/ui/edit/use-edited.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { DeleteTableView } from './DeleteTableView.tsx';
import { useSamples } from './use-samples.ts';
import { ColumnsEditor } from './ColumnsEditor.tsx';

export interface ViewFields {
  ViewName: string;
  Columns: readonly ViewColumn[];
  RowCondition: string;
}

interface TableViewFormProps {
  /** Id 0 is a new view. */
  view: Pick<TableView, 'Id' | 'ConnectionName' | 'TableName'>;
  opened: Opened<ViewFields>;
  /** The view as it is stored now; absent for a new one. */
  read?: () => Promise<Opened<ViewFields>>;
}

const fieldId = (field: TableViewIssue['field']): string => `table-view-${field}`;

export function TableViewForm({ view, opened, read = async () => opened }: TableViewFormProps) {
  const edit = useEdited(opened, read);
  const { fields: draft, setFields: setDraft } = edit;
  const [attempt, setAttempt] = useState(0);
  const saving = useSaving();
  const navigate = useNavigate();
  const { isDone } = saving;
  useEffect(() => {
    // Navigate only after the saved state is rendered, because the leave warning would block it before.
    if (isDone) void navigate('/tableviews', { replace: true });
  }, [isDone, navigate]);

  const { TableName, ConnectionName, Id } = view;
  const samples = useSamples({ ConnectionName, TableName });
  const issues = tableViewIssues({ TableName, ...draft });
  const shown = attempt > 0 ? issues : [];
  const errorOf = (field: TableViewIssue['field']) => shown.find((issue) => issue.field === field)?.message ?? null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setAttempt(attempt + 1);
    if (issues.length > 0) return;
    const { Columns, RowCondition } = draft;
    const ViewInfo = JSON.stringify({ Columns, ...(RowCondition.trim() === '' ? {} : { RowCondition }) });
    void saving.run(Id === 0 ? t('Table view created') : t('Table view updated'), async () => {
      await edit.save(async (Revision) => {
        await (Id === 0
          ? call(createTableView, { body: { ConnectionName, TableName, ViewName: draft.ViewName, ViewInfo } })
          : call(updateTableView, { body: { Id, ViewInfo, Revision } }));
      });
      for (const endpoint of [listTableViews, tableViewDetails, tableViewValues])
        await queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
    });
  };
  const isUnsaved = !isDone && edit.isChanged;
  return (
    <form onSubmit={submit} noValidate>
      <LeaveWarning isUnsaved={isUnsaved} />
      <Card>
        <TextField
          id={fieldId('ViewName')}
          label={t('View name')}
          required
          value={draft.ViewName}
          maxLength={VIEW_NAME_MAX}
          cuts
          disabled={Id !== 0}
          onChange={(ViewName) => setDraft((before) => ({ ...before, ViewName }))}
          error={errorOf('ViewName')}
        />
      </Card>
      <Card title={t('Columns')}>
        <div id={fieldId('Columns')} tabIndex={-1}>
          <ColumnsEditor
            columns={draft.Columns}
            samples={samples}
            onChange={(change) => setDraft((before) => ({ ...before, Columns: change(before.Columns) }))}
          />
        </div>
      </Card>
      <Card title={t('Rows')}>
        <TextField
          id={fieldId('RowCondition')}
          label={t('Row condition')}
          labelInfo={t('(optional)')}
          rows={2}
          maxLength={CONDITION_MAX}
          value={draft.RowCondition}
          onChange={(RowCondition) => setDraft((before) => ({ ...before, RowCondition }))}
          helper={t(
            "The view shows only rows that meet this condition, such as Region = 'North' or Owner = @UserName. @UserName is the user who opens the view; IN (@Roles) stands for that user's roles.",
          )}
          error={saving.modelState['RowCondition']?.[0] ?? null}
        />
      </Card>
      <ErrorSummary
        title={saving.failure ?? (shown.length > 0 ? t('Please correct the errors shown.') : null)}
        issues={shown.map(({ field, message }) => ({ fieldId: fieldId(field), message }))}
        attempt={attempt}
      />
      <EditConflict edit={edit} isSaving={saving.isSaving} />
      <div className="rs-form-actions">
        <SubmitButton text={Id === 0 ? t('Create') : t('Update')} loading={saving.isSaving} />
        {Id !== 0 && <DeleteTableView id={Id} name={opened.fields.ViewName} disabled={isUnsaved} />}
      </div>
    </form>
  );
}
