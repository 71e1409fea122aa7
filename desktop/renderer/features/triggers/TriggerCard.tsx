import { Button, Tag } from '@blueprintjs/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { listTriggers, type SavedTrigger, type Trigger, type TriggerFiring } from '#shared/contract/triggers.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { call } from '#renderer/api/client.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { rich, said, t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { TryTrigger } from './TryTrigger.tsx';
import type { TriggerCalls } from './TriggerForm.tsx';

interface CardProps {
  item: Trigger;
  calls: TriggerCalls;
  runPath: string;
  onEdit: () => void;
  onSecret: (result: SavedTrigger) => Promise<void>;
}

export function TriggerCard({ item, calls, runPath, onEdit, onSecret }: CardProps) {
  const { Name, Text, UserFullName, Address, PausedTime, PausedReason, LookMessage, WaitsFor } = item;
  return (
    <Card title={Name}>
      <p>
        {said(Text)}
        <br />
        <span className="rs-muted">
          {PausedTime !== null && (
            <>{rich('Paused since {pausedTime},', { pausedTime: <DateText value={PausedTime} /> })} </>
          )}
          {t('as {userFullName}', { userFullName: UserFullName })}
        </span>
      </p>
      {Address !== null && (
        <p>
          <span className="rs-muted">{t('Address for calls')}</span>{' '}
          <code className="rs-trigger-address">{bridge.sharedAddress(Address.slice(1))}</code>
        </p>
      )}
      {PausedReason !== null && (
        <p role="note">
          {t(
            'The portal paused this trigger: {reason}. If you save it again, it resumes and starts runs under your name.',
            {
              reason: said(PausedReason),
            },
          )}
        </p>
      )}
      {LookMessage !== null && (
        <p role="note">{t("The trigger can't check what it waits for: {reason}", { reason: said(LookMessage) })}</p>
      )}
      {WaitsFor !== null && (
        <p role="note">
          {rich('The next start waits until {run}, which this trigger started before, has ended.', {
            run: <Link to={`${runPath}${WaitsFor}/`}>{t('run {id}', { id: WaitsFor })}</Link>,
          })}
        </p>
      )}
      <Actions item={item} calls={calls} onEdit={onEdit} onSecret={onSecret} />
      <Firings firings={item.Firings} name={Name} runPath={runPath} />
    </Card>
  );
}

type Asked = 'delete' | 'secret' | null;

function Actions({ item, calls, onEdit, onSecret }: Omit<CardProps, 'runPath'>) {
  const { Id, Name, Address, PausedTime } = item;
  const [touched] = useState([calls.list, listTriggers]);
  const { isBusy, change } = useChange(touched);
  const [asked, setAsked] = useState<Asked>(null);
  const [isTrying, setTrying] = useState(false);
  const params = { id: Id };
  const isPaused = PausedTime !== null;
  const executeAction = async (): Promise<void> => {
    const isDone =
      asked === 'delete'
        ? await change(() => call(calls.delete, { params }), t('Trigger deleted'))
        : await change(async () => onSecret(await call(calls.secret, { params })), t('New secret created'));
    if (isDone) setAsked(null);
  };
  return (
    <>
      <div className="rs-schedule-form-actions">
        <Button size="small" text={t('Edit')} aria-label={t('Edit {name}', { name: Name })} onClick={onEdit} />
        <Button
          size="small"
          text={t('Try')}
          aria-label={t('Try {name}', { name: Name })}
          onClick={() => setTrying(true)}
        />
        <Button
          size="small"
          text={isPaused ? t('Resume') : t('Pause')}
          aria-label={isPaused ? t('Resume {name}', { name: Name }) : t('Pause {name}', { name: Name })}
          loading={isBusy}
          onClick={() =>
            void change(
              () => call(isPaused ? calls.resume : calls.pause, { params }),
              isPaused ? t('Trigger resumed') : t('Trigger paused'),
            )
          }
        />
        {Address !== null && <Button size="small" text={t('New secret')} onClick={() => setAsked('secret')} />}
        <Button
          size="small"
          intent="danger"
          variant="outlined"
          text={t('Delete')}
          aria-label={t('Delete {name}', { name: Name })}
          onClick={() => setAsked('delete')}
        />
      </div>
      {isTrying && <TryTrigger item={item} calls={calls} onClose={() => setTrying(false)} />}
      <ConfirmDialog
        isOpen={asked !== null}
        title={asked === 'secret' ? t('New secret for {name}', { name: Name }) : t('Delete')}
        confirmText={asked === 'secret' ? t('New secret') : t('Delete')}
        intent="danger"
        isBusy={isBusy}
        onCancel={() => setAsked(null)}
        onConfirm={() => void executeAction()}
      >
        {asked === 'secret'
          ? t('After this, calls signed with the previous secret are rejected.')
          : t('Delete the trigger {name}?', { name: Name })}
      </ConfirmDialog>
    </>
  );
}

const OUTCOMES = { Waiting: t('Waiting'), Started: t('Started'), LeftOut: t('Skipped'), Refused: t('Refused') };
const INTENTS = { Waiting: 'none', Started: 'success', LeftOut: 'warning', Refused: 'danger' } as const;

export function OutcomeTag({ outcome }: { outcome: TriggerFiring['Outcome'] }) {
  return (
    <Tag minimal intent={INTENTS[outcome]}>
      {OUTCOMES[outcome]}
    </Tag>
  );
}

function Firings({ firings, name, runPath }: { firings: readonly TriggerFiring[]; name: string; runPath: string }) {
  if (firings.length === 0) return <p className="rs-muted">{t('It has not fired yet.')}</p>;
  return (
    <details>
      <summary>{t('Last firings')}</summary>
      <ul className="rs-plain-list rs-past-occurrences" aria-label={t('Last firings of {name}', { name })}>
        {firings.map(({ Id, Time, Outcome, Message, RunId }) => (
          <li key={Id}>
            <DateText value={Time} />
            <OutcomeTag outcome={Outcome} />
            {RunId !== null && (
              <div>
                <Link to={`${runPath}${RunId}/`}>{t('Run {runId}', { runId: RunId })}</Link>
              </div>
            )}
            {Message !== '' && <div className="rs-muted">{said(Message)}</div>}
          </li>
        ))}
      </ul>
    </details>
  );
}
