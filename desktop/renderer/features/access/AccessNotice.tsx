import { Button, Classes } from '@blueprintjs/core';
import { Cross, Lock, Share } from '@blueprintjs/icons';
import { Link } from 'react-router-dom';
import { dismissAccessNotice } from '#shared/contract/access-requests.ts';
import { notifications, type AccessNotification } from '#shared/contract/notifications.ts';
import { call } from '#renderer/api/client.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { said, t } from '#renderer/language/translate.ts';
import { DateText } from '#renderer/ui/texts.tsx';
import { DecideButtons } from './DecideButtons.tsx';
import './access.css';

const TOUCHED = [notifications];

/** A notification about access. A request stays until somebody has decided it. */
export function AccessNotice({ item }: { item: AccessNotification }) {
  const { Kind, Id, Name, Message, Note, Time } = item;
  const { isBusy, change } = useChange(TOUCHED);
  const message = said(Message);
  const isRequest = Kind === 'Requested';
  const Icon = isRequest ? Lock : Share;
  return (
    <li className="rs-notice">
      <span className="rs-status rs-status-primary">
        <Icon size={16} title={false} />
      </span>
      <span className="rs-notice-body">
        <Link className={`rs-notice-text ${Classes.POPOVER_DISMISS}`} to={pathOf(item)}>
          <strong>{Name}</strong>
          <span className="rs-notice-message">{message}</span>
          {Note !== '' && <span className="rs-notice-message">{t('“{note}”', { note: Note })}</span>}
          <span className="rs-muted">
            <DateText value={Time} as="relative" />
          </span>
        </Link>
        {isRequest && <DecideButtons requestId={Id} who={message} size="small" />}
      </span>
      {!isRequest && (
        <Button
          variant="minimal"
          size="small"
          icon={<Cross />}
          aria-label={t('Dismiss {name}: {message}', { name: Name, message })}
          loading={isBusy}
          onClick={() => void change(() => call(dismissAccessNotice, { params: { id: Id } }))}
        />
      )}
    </li>
  );
}

function pathOf({ Kind, ActivityId, ActivityRunId }: AccessNotification): string {
  if (Kind === 'Requested') return '/accessRequests';
  return ActivityRunId === null ? `/activities/${ActivityId}/` : `/activities/runstatus/${ActivityRunId}/`;
}
