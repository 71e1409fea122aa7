import { Button, Radio } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import {
  answerConsent,
  ConsentRequest,
  showConsent,
  type AssistantScope,
  type ConsentView,
} from '#shared/contract/assistants.ts';
import { call } from '#renderer/api/client.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { useFormChange } from '#renderer/ui/query/use-change.ts';
import './assistants.css';

const NAMES = Object.keys(ConsentRequest.properties);

/** The server reports a parameter that is missing. */
const requestOf = (parameters: URLSearchParams): ConsentRequest =>
  Object.fromEntries([...parameters].filter(([name]) => NAMES.includes(name))) as ConsentRequest;

/** /oauth/authorize: asks the person whether an assistant may act for them. */
export function ConsentPage() {
  const [parameters] = useSearchParams();
  const request = requestOf(parameters);
  const body = { Request: request };
  const query = useQuery({ ...queryOf(showConsent, { body }), staleTime: Infinity, gcTime: 0, retry: false });
  return (
    <Page title={t('Connect an assistant')}>
      <QueryStates query={query} kind="form" failure={t('The assistant cannot be connected')}>
        {(view) => <Consent view={view} request={request} />}
      </QueryStates>
    </Page>
  );
}

function Consent({ view, request }: { view: ConsentView; request: ConsentRequest }) {
  // The smaller grant, unless it would contain nothing.
  const [scope, setScope] = useState<AssistantScope>(view.Offered > 0 ? 'offered' : 'activities');
  const [isAnswered, setAnswered] = useState(false);
  const { isBusy, change, failure } = useFormChange([]);
  const answer = (Scope: AssistantScope | null): void =>
    void change(async () => {
      const { Address } = await call(answerConsent, { body: { Request: request, Scope } });
      setAnswered(true);
      window.location.assign(Address);
    });
  if (isAnswered) return <p role="status">{t('You can close this page and return to your assistant.')}</p>;
  return (
    <Card title={t('Allow {clientName} to run activities for you?', { clientName: view.ClientName })}>
      <Facts view={view} />
      <Offered />
      <ScopeChoice view={view} scope={scope} onChange={setScope} />
      <ErrorSummary {...failure} />
      <div className="rs-form-actions">
        <Button intent="primary" text={t('Allow')} loading={isBusy} onClick={() => answer(scope)} />
        <Button text={t('Refuse')} disabled={isBusy} onClick={() => answer(null)} />
      </div>
    </Card>
  );
}

interface ScopeChoiceProps {
  view: ConsentView;
  scope: AssistantScope;
  onChange: (scope: AssistantScope) => void;
}

/** Blueprint's RadioGroup would bring along its cards, whose style the pages do not contain. */
function ScopeChoice({ view: { Offered, Activities }, scope, onChange }: ScopeChoiceProps) {
  const choices: [AssistantScope, string][] = [
    ['offered', t('Only activities that are offered to assistants ({count})', { count: Offered })],
    ['activities', t('All activities that I can run ({count})', { count: Activities })],
  ];
  return (
    <fieldset className="rs-consent-scope">
      <legend>{t('It can run')}</legend>
      {choices.map(([value, label]) => (
        <Radio
          key={value}
          name="scope"
          value={value}
          label={label}
          checked={scope === value}
          onChange={() => onChange(value)}
        />
      ))}
    </fieldset>
  );
}

function Facts({ view }: { view: ConsentView }) {
  const { ClientName, RedirectHost, IsLocal, UserFullName, UserName, Days } = view;
  const goesTo = IsLocal ? t('A program on this computer ({host})', { host: RedirectHost }) : RedirectHost;
  const facts: [string, string][] = [
    [t('The program calls itself'), ClientName],
    [t('Your answer goes to'), goesTo],
    [t('You are signed in as'), `${UserFullName} (${UserName})`],
    [t('Valid for'), t('{days, plural, one {# day} other {# days}}', { days: Days })],
  ];
  return (
    <>
      <p>
        {t(
          'Anyone can give a program this name. Continue only if you have just connected an assistant to this portal yourself.',
        )}
      </p>
      <dl className="rs-facts">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
    </>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd dir="auto">{value}</dd>
    </>
  );
}

function Offered() {
  return (
    <ul>
      <li>{t('It finds and runs activities in your name, and sees your runs and their results.')}</li>
      <li>{t('It asks you before each run that changes data or sends mails.')}</li>
      <li>{t('It cannot change activities, decide approvals or administer the portal.')}</li>
      <li>{t('You can end its access at any time under Sessions.')}</li>
    </ul>
  );
}
