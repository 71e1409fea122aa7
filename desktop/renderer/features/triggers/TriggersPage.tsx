import { Button, Callout } from '@blueprintjs/core';
import { Duplicate } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { activityTriggers, checklistTriggers, type SavedTrigger, type TriggerList } from '#shared/contract/triggers.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { keyOf, queryClient, queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import type { Opened } from '#renderer/ui/edit/send-edit.ts';
import { Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { fieldsOf, newFields, type TriggerFields } from './trigger-form.ts';
import { TriggerCard } from './TriggerCard.tsx';
import { TriggerForm, type TriggerCalls } from './TriggerForm.tsx';
import '#renderer/features/schedules/schedules.css';
import './triggers.css';

/** /activities/triggers/{id} */
export function ActivityTriggersPage() {
  const id = Number(useParams()['id']);
  return (
    <TriggersPage
      key={id}
      id={id}
      calls={activityTriggers}
      runPath="/activities/runstatus/"
      back={`/activities/edit/${id}/`}
    />
  );
}

/** /checklists/triggers/{id} */
export function ChecklistTriggersPage() {
  const id = Number(useParams()['id']);
  return (
    <TriggersPage
      key={id}
      id={id}
      calls={checklistTriggers}
      runPath="/checklists/runstatus/"
      back={`/checklists/edit/${id}/`}
    />
  );
}

const INTERVAL = 10_000;

interface PageProps {
  id: number;
  calls: TriggerCalls;
  /** Path of the status page of a run, without its id. */
  runPath: string;
  back: string;
}

function TriggersPage({ id, calls, runPath, back }: PageProps) {
  const query = useQuery({ ...queryOf(calls.list, { params: { id }, polls: true }), refetchInterval: INTERVAL });
  const [edited, setEdited] = useState<Opened<TriggerFields> | null>(null);
  const [saved, setSaved] = useState<SavedTrigger | null>(null);
  const { data: list } = query;
  const show = async (result: SavedTrigger): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: keyOf(calls.list) });
    setSaved(result.Secret === null ? null : result);
    setEdited(null);
  };
  return (
    <Page title={t('Triggers')} description={list && <Link to={back}>{list.OwnerName}</Link>} narrow>
      {!list && query.error && <FailureState error={query.error} onRetry={() => void query.refetch()} />}
      {!list && !query.error && <Skeleton kind="form" />}
      {list && list.Maintenance !== null && (
        <Callout intent="warning">
          {t('Triggers start nothing during maintenance: {text}', { text: list.Maintenance })}
        </Callout>
      )}
      {list && edited && (
        <TriggerForm
          key={edited.fields.Id}
          calls={calls}
          ownerId={id}
          list={list}
          opened={edited}
          onSaved={show}
          onCancel={() => setEdited(null)}
        />
      )}
      {list && !edited && (
        <>
          {saved && <NewSecret saved={saved} />}
          <Items list={list} calls={calls} runPath={runPath} onEdit={setEdited} onSecret={show} />
        </>
      )}
    </Page>
  );
}

interface ItemsProps extends Pick<PageProps, 'calls' | 'runPath'> {
  list: TriggerList;
  onEdit: (opened: Opened<TriggerFields>) => void;
  onSecret: (result: SavedTrigger) => Promise<void>;
}

function Items({ list, calls, runPath, onEdit, onSecret }: ItemsProps) {
  const onAdd = (): void => onEdit({ fields: newFields(list), revision: null });
  const add = <Button intent="primary" text={t('Add trigger')} onClick={onAdd} />;
  if (list.Items.length === 0) {
    return (
      <EmptyState title={t('No triggers yet')} action={add}>
        {t('A trigger starts it when a file arrives, a run ends, a program calls, or a query returns something new.')}
      </EmptyState>
    );
  }
  return (
    <>
      <div className="rs-schedule-form-add">{add}</div>
      {list.Items.map((item) => (
        <TriggerCard
          key={item.Id}
          item={item}
          calls={calls}
          runPath={runPath}
          onEdit={() => onEdit({ fields: fieldsOf(item, list), revision: item.Revision })}
          onSecret={onSecret}
        />
      ))}
    </>
  );
}

function NewSecret({ saved: { Trigger, Secret } }: { saved: SavedTrigger }) {
  const copy = async (): Promise<void> => {
    if (await bridge.copyText(Secret ?? '')) showMessage(t('Copied'));
  };
  return (
    <Callout intent="success" icon={null} role="status" className="rs-trigger-secret">
      <p>
        {t('This is the secret of {name}. It is shown only once. Enter it in the program that makes the calls.', {
          name: Trigger.Name,
        })}
      </p>
      <div className="rs-bar">
        <code>{Secret}</code>
        <Button icon={<Duplicate />} text={t('Copy')} onClick={() => void copy()} />
      </div>
    </Callout>
  );
}
