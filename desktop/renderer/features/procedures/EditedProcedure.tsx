import { Button, Callout } from '@blueprintjs/core';
import { Error as ErrorIcon, WarningSign } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { activityDetails, type Activity } from '#shared/contract/activities.ts';
import type { ProcedureSettings } from '#shared/contract/procedure-settings.ts';
import { procedureState, updateProcedure, type ProcedureState } from '#shared/contract/procedures.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { rich, said, t } from '#renderer/language/translate.ts';
import { showSuccess } from '#renderer/ui/toaster.tsx';
import { FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { ProcedureEditor } from './ProcedureEditor.tsx';
import { Refusals } from './ProcedurePart.tsx';
import './procedures.css';

interface EditedProcedureProps {
  id: number;
  procedureName: string;
  settings: ProcedureSettings;
  /** Revision of the activity that is being edited. */
  revision: number | null;
  onChange: (settings: ProcedureSettings) => void;
  /** Called with the activity after its procedure was updated. */
  onUpdated: (activity: Activity) => void;
}

/**
 * Part of the form of an existing activity: whether its procedure has changed in the database, and how it is called.
 */
export function EditedProcedure({ id, procedureName, settings, revision, onChange, onUpdated }: EditedProcedureProps) {
  const { data, error, refetch } = useQuery({
    ...queryOf(procedureState, { params: { id } }),
    refetchOnReconnect: false,
  });
  return (
    <>
      <div className="rs-field">
        <span className="rs-field-label">{t('Stored procedure')}</span>
        <div className="rs-procedure-name">{procedureName}</div>
        {data && (
          <div className="rs-field-helper">
            {rich('Version {version}. <link>Version history</link>', {
              version: data.Version,
              link: <Link to={`/activities/versions/${id}`} />,
            })}
          </div>
        )}
      </div>
      {!data && (error ? <FailureState error={error} onRetry={() => void refetch()} /> : <Skeleton kind="form" />)}
      {data && (
        <>
          <Drift id={id} state={data} settings={settings} revision={revision} onUpdated={onUpdated} />
          {data.Description && (
            <ProcedureEditor description={data.Description} settings={settings} onChange={onChange} />
          )}
        </>
      )}
    </>
  );
}

interface DriftProps extends Pick<EditedProcedureProps, 'id' | 'settings' | 'revision' | 'onUpdated'> {
  state: ProcedureState;
}

function Drift({ id, state, settings, revision, onUpdated }: DriftProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { Description, Changes, RunsRefused, Message, Version } = state;
  if (Message !== '' && !Description)
    return (
      <Callout intent="danger" icon={<ErrorIcon />} className="rs-procedure-callout">
        {said(Message)}
      </Callout>
    );
  if (Changes.length === 0) return null;
  const update = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const body = { Id: id, Revision: revision, Procedure: settings };
      const updated = await call(updateProcedure, { body });
      const activity = await call(activityDetails, { params: { id } });
      onUpdated(activity);
      await queryClient.invalidateQueries({ queryKey: keyOf(procedureState) });
      showSuccess(t('Version {version} matches the current procedure', { version: updated.Version }));
    } catch (error) {
      setFailure(toFailure(error).message);
    } finally {
      setBusy(false);
    }
  };
  const canUpdate = Description !== null && Description.Refusals.length === 0;
  return (
    <>
      <Callout
        intent="warning"
        icon={<WarningSign />}
        title={t('The procedure has changed since version {version}', { version: Version })}
        className="rs-procedure-callout"
      >
        <ul>
          {Changes.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </ul>
        {RunsRefused && <p>{t("You can't run it until it is updated.")}</p>}
        {failure !== null && (
          <p role="alert" className="rs-danger-text">
            {said(failure)}
          </p>
        )}
        {canUpdate && <Button text={t('Update')} intent="warning" loading={isBusy} onClick={() => void update()} />}
      </Callout>
      {Description && Description.Refusals.length > 0 && <Refusals texts={Description.Refusals} />}
    </>
  );
}
