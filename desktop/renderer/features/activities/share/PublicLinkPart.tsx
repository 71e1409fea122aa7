import { Button } from '@blueprintjs/core';
import { useMemo, useRef, useState } from 'react';
import { revokePublicLink, type PublicLink } from '#shared/contract/sharing.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { call } from '#renderer/api/client.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { qrPicture } from '#renderer/ui/qr-picture.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { ServerButton } from '#renderer/ui/ServerButton.tsx';
import { DateText } from '#renderer/ui/texts.tsx';
import { LINK_TOUCHED } from './link-queries.ts';
import { CopyLink } from './NewShares.tsx';
import { PublicLinkDialog } from './PublicLinkDialog.tsx';

interface PublicLinkPartProps {
  id: number;
  link: PublicLink;
  /** True for users who may create and revoke the link. */
  canPublish: boolean;
}

/** The link with which anyone can run the activity. It works while the internet holds the right to run it. */
export function PublicLinkPart({ id, link, canPublish }: PublicLinkPartProps) {
  const [isAsking, setAsking] = useState(false);
  const section = useRef<HTMLElement>(null);
  // The pressed button disappears. Focus the section, because Escape closes the dialog only while the focus is inside.
  const focusSection = (): void => section.current?.focus();
  if (!canPublish && !link.IsOpen) return null;
  return (
    <section aria-label={t('Public link')} ref={section} tabIndex={-1}>
      <h2>{t('Public link')}</h2>
      <p className="rs-muted">
        {t(
          'Anyone who has the link can fill in the form, run the activity and download its results without signing in. They see only their own run.',
        )}
      </p>
      {link.IsOpen && <OpenLink id={id} link={link} />}
      {!link.IsOpen && link.IsOwn && <p role="status">{t('The link has expired.')}</p>}
      {canPublish && (
        <div className="rs-share-new">
          <Button
            text={link.IsOwn ? t('Change its limits') : t('Create public link')}
            disabled={link.IsOpen && !link.IsOwn}
            onClick={() => setAsking(true)}
          />
          {link.IsOwn && <RevokeButton id={id} onDone={focusSection} />}
          {link.IsOpen && !link.IsOwn && (
            <span className="rs-muted">{t('Its schema or all activities are public.')}</span>
          )}
        </div>
      )}
      {isAsking && (
        <PublicLinkDialog
          id={id}
          link={link}
          onClose={() => {
            setAsking(false);
            focusSection();
          }}
        />
      )}
    </section>
  );
}

function RevokeButton({ id, onDone }: { id: number; onDone: () => void }) {
  const { isBusy, change } = useChange(LINK_TOUCHED);
  const revoke = async (): Promise<void> => {
    await change(() => call(revokePublicLink, { params: { id } }), t('The link no longer works'));
    onDone();
  };
  return <ServerButton intent="danger" text={t('Revoke')} disabled={isBusy} onClick={() => void revoke()} />;
}

function OpenLink({ id, link: { ExpiryTime, MaxRuns, RunCount } }: { id: number; link: PublicLink }) {
  const address = bridge.sharedAddress(`public/activities/run/${id}`);
  return (
    <div className="rs-share-public">
      <QrCode text={address} />
      <div>
        <p className="rs-share-address">{address}</p>
        <p>
          {ExpiryTime === null
            ? t('It does not expire.')
            : rich('It expires on {time}.', { time: <DateText value={ExpiryTime} /> })}{' '}
          {MaxRuns !== null &&
            t('{count} of {max} runs used.', {
              count: numberText(RunCount),
              max: numberText(MaxRuns),
            })}
        </p>
        {MaxRuns !== null && RunCount >= MaxRuns && (
          <p role="status">{t('Nobody can start a run with it until you change its limits.')}</p>
        )}
        <CopyLink address={address} />
      </div>
    </div>
  );
}

function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => qrPicture(text), [text]);
  return (
    <svg
      className="rs-share-qr"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={t('QR code of the link')}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
