import { Button, HTMLSelect } from '@blueprintjs/core';
import { Upload } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { checklistSchemas } from '#shared/contract/checklists.ts';
import { importWorkflow, WORKFLOW_FILE_MAX } from '#shared/contract/workflows.ts';
import { CHECKLIST_NAME_MAX } from '#shared/rules/checklist-rules.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { workflowPath } from '#renderer/features/checklists/checklist-menu.tsx';
import { createUniqueId } from '#renderer/api/unique-id.ts';
import { useGoBack } from '#renderer/ui/use-go-back.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { SubmitButton } from '#renderer/ui/SubmitButton.tsx';
import { FileSize } from '#renderer/ui/texts.tsx';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { NotAllowed } from '#renderer/features/rights/OwnRights.tsx';
import '#renderer/features/activities/editor/editor.css';
import { refreshWorkflow } from '../use-save-workflow.ts';
import { readWorkflowFile, type ReadFile } from './read-workflow-file.ts';

/** /workflows/import */
export function ImportWorkflowPage() {
  const schemas = useQuery({ ...queryOf(checklistSchemas), gcTime: 0, refetchOnReconnect: false });
  return (
    <Page title={t('Import workflow')} narrow>
      <QueryStates query={schemas} kind="form">
        {({ Items }) => {
          const names = Items.map(({ Name }) => Name);
          return names.length === 0 ? <NotAllowed right="sk.EditChecklist" /> : <ImportForm schemas={names} />;
        }}
      </QueryStates>
    </Page>
  );
}

function ImportForm({ schemas }: { schemas: readonly string[] }) {
  const { file, setFile, schema, setSchema, name, setName, imported, isBusy, failure, attempt, submit } =
    useImport(schemas);
  const chooser = useRef<HTMLInputElement>(null);
  const goBack = useGoBack();
  return (
    <form onSubmit={submit} noValidate aria-label={t('Import workflow')}>
      <LeaveWarning isUnsaved={file !== null && imported === null} />
      <Card>
        <FormField
          label={t('File')}
          helper={t('A file exported from the versions of a workflow, in this portal or another')}
        >
          {({ id }) => (
            <div className="rs-file">
              <Button
                id={id}
                icon={<Upload />}
                text={file ? t('Change File') : t('Choose File')}
                onClick={() => chooser.current?.click()}
              />
              <span className="rs-file-name">
                {file && (
                  <>
                    {file.name}{' '}
                    <span className="rs-muted">
                      (<FileSize bytes={file.size} />)
                    </span>
                  </>
                )}
              </span>
              <input
                ref={chooser}
                type="file"
                hidden
                accept=".json,.yaml,.yml,application/json,application/yaml"
                aria-label={t('File of a workflow')}
                onChange={({ currentTarget }) => {
                  setFile(currentTarget.files?.[0] ?? file);
                  currentTarget.value = '';
                }}
              />
            </div>
          )}
        </FormField>
        <FormField label={t('Schema')}>
          {({ id }) => (
            <HTMLSelect id={id} value={schema} onChange={({ currentTarget }) => setSchema(currentTarget.value)}>
              {schemas.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </HTMLSelect>
          )}
        </FormField>
        <TextField
          label={t('Name')}
          labelInfo={t('optional')}
          helper={t('Leave empty for the name in the file')}
          value={name}
          maxLength={CHECKLIST_NAME_MAX}
          onChange={setName}
        />
      </Card>
      <ErrorSummary title={failure} attempt={attempt} />
      <div className="rs-form-actions">
        <SubmitButton text={t('Import workflow')} loading={isBusy} />
        <Button text={t('Back')} onClick={goBack} />
      </div>
    </form>
  );
}

/** State of the import: the chosen file, the fields, and the progress. */
function useImport(schemas: readonly string[]) {
  const [file, setFile] = useState<File | null>(null);
  const [schema, setSchema] = useState(schemas[0]!);
  const [name, setName] = useState('');
  const [UniqueId, setUniqueId] = useState(createUniqueId);
  const [imported, setImported] = useState<number | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ message: string | null; attempt: number }>({ message: null, attempt: 0 });
  const navigate = useNavigate();
  useEffect(() => {
    // Navigate only after the saved state is rendered, because the leave warning would block it before.
    if (imported !== null) void navigate(workflowPath(imported), { replace: true });
  }, [imported, navigate]);
  const refuse = (message: string): void => setFailure(({ attempt }) => ({ message, attempt: attempt + 1 }));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    if (!file) return refuse(t('Please choose a file'));
    if (file.size > WORKFLOW_FILE_MAX) return refuse(t('The file is too large for a workflow'));
    setBusy(true);
    let read: ReadFile | null = null;
    try {
      read = await readWorkflowFile(file);
      if (read.content === null) return refuse(read.problemOf());
      const body = { Content: read.content, Schema: schema, Name: name, UniqueId };
      const { Id } = await call(importWorkflow, { body });
      refreshWorkflow();
      showSuccess(t('Workflow imported'));
      setImported(Id);
    } catch (error) {
      const failure = toFailure(error);
      refuse(read?.problemOf(failure) ?? failure.message);
    } finally {
      setBusy(false);
    }
  };
  return {
    file,
    setFile: (chosen: File | null) => {
      setFile(chosen);
      // Another file needs a new id. Sending the same file again after a lost response reuses the id, so that it is
      // imported once.
      setUniqueId(createUniqueId());
    },
    schema,
    setSchema,
    name,
    setName,
    imported,
    isBusy,
    failure: failure.message,
    attempt: failure.attempt,
    submit: (event: FormEvent) => void submit(event),
  };
}
