import { Lock } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ACCESS_MESSAGE_MAX, askedAccess, askForAccess, type AccessObject } from '#shared/contract/access-requests.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { useFormChange } from '#renderer/ui/query/use-change.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { TextField } from '#renderer/ui/FormField.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import './access.css';

interface NoAccessProps {
  kind: AccessObject;
  id: number;
}

const TOUCHED = [askedAccess];

/** Tells the user that they have no access, without telling what the page is about, and lets them ask for it. */
export function NoAccess({ kind, id }: NoAccessProps) {
  const asked = useQuery(queryOf(askedAccess, { params: { kind, id } }));
  return (
    <Card className="rs-no-access">
      <Lock size={24} title={false} />
      <h2>{t("You don't have access to this")}</h2>
      <p>{t('It may not exist, or nobody has given you the right to see it.')}</p>
      {asked.data?.AskedTime ? <Sent time={asked.data.AskedTime} /> : <AskForm kind={kind} id={id} />}
    </Card>
  );
}

function Sent({ time }: { time: string }) {
  return (
    <p role="status">
      {rich('You asked for access {time}. If it is granted, you get a notification.', {
        time: <DateText value={time} as="relative" />,
      })}
    </p>
  );
}

function AskForm({ kind: Kind, id: Id }: NoAccessProps) {
  const [message, setMessage] = useState('');
  const { isBusy, change, failure } = useFormChange(TOUCHED);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void change(() => call(askForAccess, { body: { Kind, Id, Message: message } }), t('Your request was sent'));
      }}
    >
      <TextField
        label={t('Why do you need it?')}
        labelInfo={t('(optional)')}
        rows={3}
        maxLength={ACCESS_MESSAGE_MAX}
        value={message}
        onChange={setMessage}
      />
      <ErrorSummary {...failure} />
      <ServerButton type="submit" intent="primary" text={t('Ask for access')} loading={isBusy} />
    </form>
  );
}
