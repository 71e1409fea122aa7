import { Callout } from '@blueprintjs/core';
import { Inbox } from '@blueprintjs/icons';
import { Link } from 'react-router-dom';
import type { Activity } from '#shared/contract/activities.ts';
import type { DraftInput } from '#renderer/features/run-form/draft/form-draft.ts';
import { rich } from '#renderer/language/translate.ts';
import { changesOfForm } from './form-changes.ts';
import { useOutbox } from './use-outbox.ts';

export interface WaitingForm {
  id: string;
  form: DraftInput[];
}

interface OutboxNoticeProps extends WaitingForm {
  activity: Activity;
}

/** Notice above the form of a waiting start: what has changed since, and what Start does. */
export function OutboxNotice({ id, form, activity }: OutboxNoticeProps) {
  const entry = useOutbox(({ entries }) => entries?.find(({ Id }) => Id === id));
  const from = entry?.ActivityVersion ?? activity.Version;
  const changes = changesOfForm(form, activity.Inputs);
  return (
    <Callout compact icon={<Inbox />} className="rs-form-notice" role="status">
      <p>
        {rich('This start is waiting in the <link>outbox</link>. When you start it here, it no longer waits there.', {
          link: <Link to="/outbox" />,
        })}
      </p>
      {from !== activity.Version && (
        <p>
          {rich('You filled it in for version {from}; this is version {version}. <link>All changes</link>', {
            from,
            version: activity.Version,
            link: <Link to={`/activities/versions/${activity.Id}/changes/${from}/${activity.Version}`} />,
          })}
        </p>
      )}
      {changes.length > 0 && (
        <ul>
          {changes.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </Callout>
  );
}
