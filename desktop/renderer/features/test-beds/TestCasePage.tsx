import { HTMLSelect } from '@blueprintjs/core';
import { FloppyDisk } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, type FormEvent } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { activityDetails, type Activity } from '#shared/contract/activities.ts';
import { DRY_RUN_STATUSES } from '#shared/contract/dry-runs.ts';
import { STATUS_TEXT } from '#shared/contract/run-status.ts';
import {
  saveTestCase,
  TEST_CASE_NAME_MAX,
  testBed,
  testCase,
  type StoredTestCase,
} from '#shared/contract/test-beds.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { headlineOf, useSaving } from '#renderer/ui/query/use-saving.ts';
import { said, t } from '#renderer/language/translate.ts';
import { EditConflict } from '#renderer/ui/edit/EditConflict.tsx';
import type { Opened } from '#renderer/ui/edit/send-edit.ts';
import { useEdited } from '#renderer/ui/edit/use-edited.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import {
  contentOf,
  fieldsOf,
  issuesElsewhere,
  withoutChanged,
  type CaseFields,
  type CaseIssues,
} from './case-fields.ts';
import { InputFields, OutputFields } from './CaseFields.tsx';
import './test-beds.css';

/** /activities/testbed/{id}/case/{caseId}; caseId is 'new' for a new case. */
export function TestCasePage() {
  const params = useParams();
  const id = Number(params['id']);
  const caseId = params['caseId'] === 'new' ? null : Number(params['caseId']);
  const activity = useQuery(queryOf(activityDetails, { params: { id } }));
  const stored = useQuery({ ...queryOf(testCase, { params: { id: caseId ?? 0 } }), enabled: caseId !== null });
  const error = activity.error ?? stored.error;
  if (!activity.data || (caseId !== null && !stored.data)) {
    const retry = (): void => {
      void activity.refetch();
      if (caseId !== null) void stored.refetch();
    };
    return (
      <Page title={t('Test case')}>
        {error ? <FailureState error={error} onRetry={retry} /> : <Skeleton kind="form" />}
      </Page>
    );
  }
  return <CaseForm activity={activity.data} caseId={caseId} stored={stored.data ?? null} />;
}

interface CaseFormProps {
  activity: Activity;
  caseId: number | null;
  stored: StoredTestCase | null;
}

function CaseForm({ activity, caseId, stored }: CaseFormProps) {
  const form = useCaseForm({ activity, caseId, stored });
  const { fields, issues, change } = form;
  return (
    <Page
      title={
        caseId === null
          ? t('New test case - {name}', { name: activity.Name })
          : t('Test case - {name}', { name: activity.Name })
      }
      actions={<LinkButton to={listOf(activity)} text={t('All cases')} />}
    >
      <form onSubmit={form.submit} noValidate aria-label={t('Test case')}>
        <LeaveWarning isUnsaved={form.isUnsaved} />
        <Card>
          <TextField
            label={t('Name')}
            required
            value={fields.Name}
            maxLength={TEST_CASE_NAME_MAX}
            onChange={(Name) => change({ ...fields, Name })}
            error={issues['Name'] ?? null}
          />
          <FormField label={t('Expected outcome')}>
            {(field) => (
              <HTMLSelect
                {...field}
                value={fields.Status}
                onChange={(event) => change({ ...fields, Status: event.target.value as CaseFields['Status'] })}
              >
                {DRY_RUN_STATUSES.map((status) => (
                  <option key={status} value={status}>
                    {said(STATUS_TEXT[status])}
                  </option>
                ))}
              </HTMLSelect>
            )}
          </FormField>
        </Card>
        <Card title={t('Inputs')}>
          <InputFields fields={fields} issues={issues} onChange={change} />
        </Card>
        <Card title={t('Expected outputs')}>
          <OutputFields fields={fields} issues={issues} onChange={change} />
        </Card>
        <ErrorSummary {...form.summary} />
        <EditConflict edit={form.edit} isSaving={form.isSaving} />
        <div className="rs-testbed-bar">
          <SubmitButton icon={<FloppyDisk />} text={t('Save test case')} loading={form.isSaving} />
        </div>
      </form>
    </Page>
  );
}

const listOf = ({ Id }: Activity): string => `/activities/testbed/${Id}`;

const openedOf = (activity: Activity, stored: StoredTestCase | null): Opened<CaseFields> => ({
  fields: fieldsOf(activity, stored),
  revision: stored?.Revision ?? null,
});

/** State of the form: the typed values, their issues, and the save progress. */
function useCaseForm({ activity, caseId, stored }: CaseFormProps) {
  const opened = useMemo(() => openedOf(activity, stored), [activity, stored]);
  const edit = useEdited(opened, async () =>
    openedOf(activity, caseId === null ? null : await call(testCase, { params: { id: caseId } })),
  );
  const { fields, setFields } = edit;
  const [unread, setUnread] = useState<CaseIssues>({});
  const [attempt, setAttempt] = useState(0);
  const saving = useSaving();
  const navigate = useNavigate();
  const list = listOf(activity);
  const refused = Object.entries(saving.modelState).map(([field, [message = '']]) => [field, message]);
  const issues: CaseIssues = { ...(Object.fromEntries(refused) as CaseIssues), ...unread };
  const change = (changed: CaseFields): void => {
    const remaining = withoutChanged(issues, fields, changed);
    saving.forget(Object.keys(issues).filter((field) => !(field in remaining)));
    setUnread(withoutChanged(unread, fields, changed));
    setFields(changed);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setAttempt(attempt + 1);
    const content = contentOf(fields);
    setUnread('issues' in content ? content.issues : {});
    if ('issues' in content) return;
    void saving.run(t('Test case saved'), async () => {
      await edit.save(async (Revision) => {
        await call(saveTestCase, { body: { ActivityId: activity.Id, Id: caseId, ...content, Revision } });
      });
      await queryClient.invalidateQueries({ queryKey: keyOf(testBed) });
      await queryClient.invalidateQueries({ queryKey: keyOf(testCase) });
    });
  };
  const { isDone } = saving;
  // Navigate only after nothing is unsaved any more, so that no leave warning appears.
  useEffect(() => {
    if (isDone) void navigate(list);
  }, [isDone, navigate, list]);
  const hasIssues = Object.keys(issues).length > 0;
  const summary = {
    title: headlineOf(saving) ?? (hasIssues ? t('Please correct the errors shown.') : null),
    issues: issuesElsewhere(issues, fields).map((message) => ({ message })),
    attempt,
  };
  const isUnsaved = !isDone && edit.isChanged;
  return { fields, issues, change, submit, summary, edit, isUnsaved, isSaving: saving.isSaving };
}
