import { Button, Callout, HTMLSelect } from '@blueprintjs/core';
import { FloppyDisk } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { activityDetails, type Activity } from '#shared/contract/activities.ts';
import { DRY_RUN_STATUSES } from '#shared/contract/dry-runs.ts';
import { STATUS_TEXT } from '#shared/contract/run-status.ts';
import { saveTestCase, testBed, testCase, type TestCaseContent } from '#shared/contract/test-beds.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { said, t } from '#renderer/language/translate.ts';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { contentOf, fieldsOf, type CaseFields } from './case-fields.ts';
import { InputFields, OutputFields } from './CaseFields.tsx';
import './test-beds.css';

/** /activities/testbed/{id}/case/{caseId}, which is 'new' of one that is not there yet. */
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
  stored: TestCaseContent | null;
}

function CaseForm({ activity, caseId, stored }: CaseFormProps) {
  const [initial] = useState<CaseFields>(() => fieldsOf(activity, stored));
  const [fields, setFields] = useState(initial);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const navigate = useNavigate();
  const reason = useServerReason();
  const list = `/activities/testbed/${activity.Id}`;
  const save = async (): Promise<void> => {
    const content = contentOf(activity, fields);
    if ('issue' in content) {
      setFailure(content.issue);
      return;
    }
    setBusy(true);
    try {
      await call(saveTestCase, { body: { ActivityId: activity.Id, Id: caseId, ...content } });
      await queryClient.invalidateQueries({ queryKey: keyOf(testBed) });
      await queryClient.invalidateQueries({ queryKey: keyOf(testCase) });
      setSaved(true);
    } catch (error) {
      setFailure(toFailure(error).message);
      setBusy(false);
    }
  };
  // Once nothing is unsaved any more, so that nobody is asked.
  useEffect(() => {
    if (isSaved) void navigate(list);
  }, [isSaved, navigate, list]);
  const isUnsaved = !isSaved && JSON.stringify(fields) !== JSON.stringify(initial);
  return (
    <Page
      title={
        caseId === null
          ? t('New test case - {name}', { name: activity.Name })
          : t('Test case - {name}', { name: activity.Name })
      }
      actions={<LinkButton to={list} text={t('All cases')} />}
    >
      <LeaveWarning isUnsaved={isUnsaved} />
      <Card>
        <TextField
          label={t('Name')}
          required
          value={fields.Name}
          maxLength={100}
          onChange={(Name) => setFields({ ...fields, Name })}
        />
        <FormField label={t('Ends as')}>
          {(field) => (
            <HTMLSelect
              {...field}
              value={fields.Status}
              onChange={(event) => setFields({ ...fields, Status: event.target.value as CaseFields['Status'] })}
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
        <InputFields fields={fields} onChange={setFields} />
      </Card>
      <Card title={t('Expected outputs')}>
        <OutputFields fields={fields} onChange={setFields} />
      </Card>
      {failure !== null && (
        <Callout intent="danger" role="alert">
          {failure}
        </Callout>
      )}
      <div className="rs-testbed-bar">
        <Button
          icon={<FloppyDisk />}
          intent="primary"
          text={t('Save case')}
          loading={isBusy}
          disabled={reason !== undefined}
          title={reason}
          onClick={() => void save()}
        />
      </div>
    </Page>
  );
}
