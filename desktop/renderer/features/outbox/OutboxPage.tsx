import { Button, Callout, Classes, Tag, type Intent } from '@blueprintjs/core';
import { Inbox } from '@blueprintjs/icons';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { OutboxEntry, OutboxState } from '#bridge/outbox.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { useConnection } from '#renderer/api/connection.ts';
import { rich, said, t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { LinkButton } from '#renderer/ui/LinkButton.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { EmptyState, FailureState, Skeleton } from '#renderer/ui/states.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { showError } from '#renderer/ui/toaster.tsx';
import { OutboxInputs } from './OutboxInputs.tsx';
import { readOutbox, useOutbox, watchOutbox } from './use-outbox.ts';
import './outbox.css';

/**
 * /outbox: starts that wait on this computer. Only the desktop app stores them, but a link to this page may be opened
 * in a browser too.
 */
export function OutboxPage() {
  return bridge.outbox.isOffered ? <Outbox /> : <NoOutbox />;
}

function NoOutbox() {
  return (
    <Page title={t('Outbox')} narrow>
      <EmptyState
        title={t('The outbox is in the desktop client')}
        icon={<Inbox size={24} title={false} />}
        action={<LinkButton to="/activities/runstatus" text={t('Show running activities')} />}
      >
        {t(
          'In the desktop client, runs that you start while the server is unavailable wait until it is back. In a browser, a run starts immediately, or you see that it was not started.',
        )}
      </EmptyState>
    </Page>
  );
}

function Outbox() {
  const { entries, failure } = useOutbox();
  const [removed, setRemoved] = useState<OutboxEntry | null>(null);
  useEffect(watchOutbox, []);
  return (
    <Page title={t('Outbox')} narrow>
      <p className={Classes.TEXT_MUTED}>
        {t(
          'Runs that you started while the server was unavailable wait here, on this computer. Each starts once, one after another, as soon as the server is available.',
        )}
      </p>
      {!bridge.outbox.canQueue() && (
        <Callout compact intent="warning">
          {t(
            'Starts cannot wait in the outbox of this computer: it has no keychain that Runsheet can use, or the keychain is locked. To use the outbox, set up or unlock the keychain (on Linux, GNOME Keyring or KWallet) and restart Runsheet.',
          )}
        </Callout>
      )}
      {entries === null && failure === null && <Skeleton kind="grid" />}
      {entries === null && failure !== null && (
        <FailureState title={t('The outbox could not be read')} error={failure} onRetry={() => void readOutbox()} />
      )}
      {entries?.length === 0 && (
        <EmptyState title={t('Nothing is waiting')} icon={<Inbox size={24} title={false} />}>
          {t('Runs that you start while the server is unavailable wait here and are sent when it is back.')}
        </EmptyState>
      )}
      <ul className="rs-outbox">
        {entries?.map((entry) => (
          <li key={entry.Id}>
            <EntryCard entry={entry} onRemove={() => setRemoved(entry)} />
          </li>
        ))}
      </ul>
      <RemoveDialog entry={removed} onClose={() => setRemoved(null)} />
    </Page>
  );
}

const STATES: Record<OutboxState, { text: string; intent: Intent }> = {
  waiting: { text: t('Waiting'), intent: 'none' },
  sending: { text: t('Sending'), intent: 'primary' },
  started: { text: t('Started'), intent: 'success' },
  needsYou: { text: t('Waiting for you'), intent: 'warning' },
  expired: { text: t('Expired'), intent: 'danger' },
};

function EntryCard({ entry, onRemove }: { entry: OutboxEntry; onRemove: () => void }) {
  const { Id, ActivityId, ActivityName, ActivityVersion, QueueTime, State, RunId, NewestVersion } = entry;
  // Such an entry has no form: a start from the form would have another id, so it could become a second run.
  const { MayHaveStarted } = entry;
  const { text, intent } = STATES[State];
  const isDone = State === 'started';
  const isDecidable = State === 'needsYou' || State === 'expired';
  const form = `/activities/run/${ActivityId}/?outbox=${Id}`;
  const navigate = useNavigate();
  /** Hold the start back first, so that it is not sent while the user changes it. */
  const edit = async (): Promise<void> => {
    if (await bridge.outbox.edit(Id).catch(() => false)) await navigate(form);
    else showError(t('This start is being sent and can no longer be edited.'));
  };
  return (
    <Card>
      <div className="rs-outbox-head">
        <strong>{ActivityName}</strong>
        <Tag minimal intent={intent}>
          {text}
        </Tag>
        <span className="rs-muted">
          {rich('version {activityVersion}, since {queueTime}', {
            activityVersion: ActivityVersion,
            queueTime: <DateText value={QueueTime} />,
          })}
        </span>
      </div>
      <Reason entry={entry} />
      <OutboxInputs id={Id} />
      <div className="rs-outbox-buttons">
        {isDone && RunId !== null && <Link to={`/activities/runstatus/${RunId}/`}>{t('Open the run')}</Link>}
        {isDecidable && NewestVersion === null && (
          <Button intent="primary" text={t('Start now')} onClick={() => void bridge.outbox.startNow(Id)} />
        )}
        {isDecidable && !MayHaveStarted && NewestVersion !== null && (
          <Link to={form}>{t('Review version {newestVersion}', { newestVersion: NewestVersion })}</Link>
        )}
        {!isDone && State !== 'sending' && !MayHaveStarted && NewestVersion === null && (
          <Button variant="outlined" text={t('Edit')} onClick={() => void edit()} />
        )}
        {State !== 'sending' && (
          <Button variant="outlined" text={isDone ? t('Remove') : t('Do not start')} onClick={onRemove} />
        )}
      </div>
    </Card>
  );
}

function Reason({ entry: { State, Why, NewestVersion, MayHaveStarted } }: { entry: OutboxEntry }) {
  const isOnline = useConnection() === 'online';
  const texts = [
    said(Why),
    NewestVersion === null
      ? ''
      : t('Nothing was started. The form shows what changed and is filled in with your entries.'),
    State === 'waiting' && Why === '' && !isOnline ? t('It starts when the server can be reached again.') : '',
    MayHaveStarted && State !== 'started'
      ? t(
          'It was sent, but the server did not answer and may have started it. Sending it again does not start a second run.',
        )
      : '',
  ].filter((text) => text !== '');
  return texts.map((text) => <p key={text}>{text}</p>);
}

function RemoveDialog({ entry, onClose }: { entry: OutboxEntry | null; onClose: () => void }) {
  const isDone = entry?.State === 'started';
  return (
    <ConfirmDialog
      isOpen={entry !== null}
      isLocal
      title={isDone ? t('Remove from the outbox') : t('Do not start')}
      confirmText={isDone ? t('Remove') : t('Do not start')}
      onConfirm={() => {
        if (entry) void bridge.outbox.remove(entry.Id);
        onClose();
      }}
      onCancel={onClose}
    >
      {isDone
        ? t('{activityName} is removed from this list. The run itself is not affected.', {
            activityName: entry?.ActivityName ?? '',
          })
        : t('Your inputs for {activityName} and the copies of its files are deleted from this computer.', {
            activityName: entry?.ActivityName ?? '',
          })}
      {entry?.MayHaveStarted
        ? t(' The server may already have started it. Check the history when you can reach the server again.')
        : ''}
    </ConfirmDialog>
  );
}
