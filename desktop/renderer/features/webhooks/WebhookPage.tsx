import { Button, Callout } from '@blueprintjs/core';
import { Duplicate } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import type { ResultOf } from '#shared/contract/endpoint.ts';
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  OLD_SECRET_HOURS,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type Webhook,
  type WebhookDraft,
} from '#shared/contract/webhooks.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { call } from '#renderer/api/client.ts';
import { createSender } from '#renderer/api/create-sender.ts';
import { queryOf } from '#renderer/api/queries.ts';
import { NotFoundPage } from '#renderer/app/NotFoundPage.tsx';
import { QueryStates } from '#renderer/ui/query/QueryStates.tsx';
import { useChange, useFormChange } from '#renderer/ui/query/use-change.ts';
import { rich, said, t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { DeleteDialog } from '#renderer/ui/DeleteDialog.tsx';
import { Card, Page } from '#renderer/ui/Page.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { showMessage, showWarning } from '#renderer/ui/toaster.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import { DeliveryLog } from './DeliveryLog.tsx';
import { forgetNewSecret, newSecretOf, setNewSecret } from './new-secrets.ts';
import { WebhookForm } from './WebhookForm.tsx';
import { webhookPath } from './webhook-texts.ts';
import './webhooks.css';

const TOUCHED = [listWebhooks, listDeliveries] as const;
const NEW = {
  Name: '',
  Url: '',
  OnRunEnded: true,
  OnVersionPublished: false,
  OnApprovalAsked: false,
  IsActive: true,
  ActivityIds: [],
};

const createOnce = () =>
  createSender<WebhookDraft, ResultOf<typeof createWebhook>>({
    create: (body, headers) => call(createWebhook, { body, headers }),
    change: async ({ Id, Secret }, body) => {
      const { AddressIssue } = await call(updateWebhook, { body: { Id, ...body } });
      return { Id, Secret, AddressIssue };
    },
  });

/** /webhooks/new */
export function NewWebhookPage() {
  const [create] = useState(createOnce);
  const { isBusy, change, failure } = useFormChange(TOUCHED);
  const navigate = useNavigateWhileHere();
  return (
    <Page title={t('New webhook')} narrow>
      <WebhookForm
        webhook={NEW}
        submitText={t('Create')}
        isBusy={isBusy}
        failure={failure}
        onSubmit={(body) =>
          void change(async () => {
            const { Id, Secret, AddressIssue } = await create(body);
            warnOfAddress(AddressIssue);
            setNewSecret(Id, Secret);
            void navigate(webhookPath(Id), { replace: true });
          }, t('Webhook created'))
        }
      />
    </Page>
  );
}

/** Warns without refusing to save, because the receiver may not exist yet. */
function warnOfAddress(issue: string | null): void {
  if (issue !== null)
    showWarning(t('Saved, but the address does not respond at the moment. {issue}.', { issue: said(issue) }));
}

/** /webhooks/{id} */
export function WebhookPage() {
  const id = Number(useParams()['id']);
  const query = useQuery(queryOf(listWebhooks));
  if (query.data && !query.data.Items.some(({ Id }) => Id === id)) return <NotFoundPage />;
  const webhook = query.data?.Items.find(({ Id }) => Id === id);
  return (
    <Page title={t('Webhook')} number={webhook?.Name}>
      <QueryStates query={query} kind="form">
        {() => webhook && <Parts key={id} webhook={webhook} />}
      </QueryStates>
    </Page>
  );
}

function Parts({ webhook }: { webhook: Webhook }) {
  const { Id } = webhook;
  const saving = useFormChange(TOUCHED);
  const { isBusy, change } = useChange(TOUCHED);
  return (
    <>
      <SecretCard webhook={webhook} />
      <div className="rs-page-narrow rs-webhook-form">
        <WebhookForm
          webhook={webhook}
          read={async () => (await call(listWebhooks)).Items.find((one) => one.Id === Id) ?? webhook}
          submitText={t('Update')}
          isBusy={saving.isBusy}
          failure={saving.failure}
          onSubmit={(draft, save) =>
            void saving.change(
              () =>
                save(async (Revision) => {
                  const { AddressIssue } = await call(updateWebhook, { body: { Id, ...draft, Revision } });
                  warnOfAddress(AddressIssue);
                }),
              t('Webhook updated'),
            )
          }
          more={<Remove webhook={webhook} />}
        />
      </div>
      <Card title={t('Deliveries')}>
        <div className="rs-bar">
          <Button
            text={t('Send a test')}
            loading={isBusy}
            onClick={() => void change(() => call(testWebhook, { params: { id: Id } }), t('Sending a test'))}
          />
          <span className="rs-muted">{t('What was sent in the last 30 days.')}</span>
        </div>
        <DeliveryLog webhookId={Id} />
      </Card>
    </>
  );
}

function SecretCard({ webhook: { Id, Name, OldSecretUntil } }: { webhook: Webhook }) {
  const [secret, setSecret] = useState(() => newSecretOf(Id));
  useEffect(() => forgetNewSecret(Id), [Id]);
  const [isAsking, setAsking] = useState(false);
  const { isBusy, change } = useChange(TOUCHED);
  const rotate = (): void =>
    void change(async () => {
      const rotated = await call(rotateWebhookSecret, { params: { id: Id } });
      setSecret(rotated.Secret);
    }).then((isDone) => isDone && setAsking(false));
  return (
    <Card title={t('Secret')}>
      {secret !== null && <NewSecret value={secret} />}
      <p>{t('The receiver uses it to check that a call comes from here and was not changed.')}</p>
      {OldSecretUntil !== null && (
        <p className="rs-muted">
          {rich('Calls are also signed with the previous secret until {oldSecretUntil}.', {
            oldSecretUntil: <DateText value={OldSecretUntil} />,
          })}
        </p>
      )}
      <Button text={t('Create a new secret')} onClick={() => setAsking(true)} />
      <ConfirmDialog
        isOpen={isAsking}
        title={t('Create a new secret for {name}', { name: Name })}
        confirmText={t('Create secret')}
        isBusy={isBusy}
        onCancel={() => setAsking(false)}
        onConfirm={rotate}
      >
        {t(
          'For {hours} hours, calls are signed with both the old and the new secret. After that, they are signed only with the new one.',
          {
            hours: OLD_SECRET_HOURS,
          },
        )}
      </ConfirmDialog>
    </Card>
  );
}

function NewSecret({ value }: { value: string }) {
  const copy = async (): Promise<void> => {
    if (await bridge.copyText(value)) showMessage(t('Copied'));
  };
  return (
    <Callout intent="success" icon={null} role="status" className="rs-webhook-secret">
      <p>{t('This is the secret. It is shown only once. Give it to the receiver.')}</p>
      <div className="rs-bar">
        <code>{value}</code>
        <Button icon={<Duplicate />} text={t('Copy')} onClick={() => void copy()} />
      </div>
    </Callout>
  );
}

function Remove({ webhook: { Id, Name } }: { webhook: Webhook }) {
  const [isAsking, setAsking] = useState(false);
  const { isBusy, change } = useChange(TOUCHED);
  const navigate = useNavigate();
  const remove = (): Promise<boolean> =>
    change(async () => {
      await call(deleteWebhook, { params: { id: Id } });
      // Navigate before the page refetches the deleted webhook.
      void navigate('/webhooks');
    }, t('Webhook deleted'));
  return (
    <>
      <Button text={t('Delete')} intent="danger" variant="outlined" onClick={() => setAsking(true)} />
      <DeleteDialog isOpen={isAsking} isBusy={isBusy} onCancel={() => setAsking(false)} onConfirm={() => void remove()}>
        {t('Delete the webhook “{name}” and its delivery log? Waiting deliveries will no longer be sent.', {
          name: Name,
        })}
      </DeleteDialog>
    </>
  );
}
