import { Button } from '@blueprintjs/core';
import { Duplicate } from '@blueprintjs/icons';
import { useMemo, useRef } from 'react';
import type { AccessValue } from '#shared/contract/right-grants.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { changeInternet, TOUCHED } from '#renderer/features/rights/use-grants.ts';
import { qrPicture } from '#renderer/ui/qr-picture.ts';
import { t } from '#renderer/language/translate.ts';
import { showMessage } from '#renderer/ui/toaster.tsx';

interface PublicLinkProps {
  id: number;
  isPublic: boolean;
  /** Access that is granted explicitly on this activity. */
  explicit: AccessValue;
}

/** The link with which anyone can run the activity. It works while the internet holds the right to run it. */
export function PublicLink({ id, isPublic, explicit }: PublicLinkProps) {
  const { isBusy, change } = useChange(TOUCHED);
  const right = { name: 'sk.RunActivity', keyColumn: 'Id', value: String(id) };
  const address = bridge.sharedAddress(`public/activities/run/${id}`);
  const section = useRef<HTMLElement>(null);
  // The pressed button disappears. Focus the section, because Escape closes the dialog only while the focus is inside.
  const make = async (how: 'grant' | 'delete', done: string): Promise<void> => {
    await change(() => changeInternet(right, how), done);
    section.current?.focus();
  };
  return (
    <section aria-label={t('Public link')} ref={section} tabIndex={-1}>
      <h2>{t('Public link')}</h2>
      <p className="rs-muted">
        {t(
          'Anyone who has the link can fill in the form, run the activity and download its results without signing in. They see only their own run.',
        )}
      </p>
      {isPublic ? (
        <div className="rs-share-public">
          <QrCode text={address} />
          <div>
            <p className="rs-share-address">{address}</p>
            <Button icon={<Duplicate title={false} />} text={t('Copy link')} onClick={() => void copy(address)} />{' '}
            {explicit === 1 ? (
              <Button
                intent="danger"
                text={t('Revoke')}
                disabled={isBusy}
                onClick={() => void make('delete', t('The link no longer works'))}
              />
            ) : (
              <span className="rs-muted">{t('Its schema or all activities are public.')}</span>
            )}
          </div>
        </div>
      ) : (
        <Button
          text={t('Create public link')}
          disabled={isBusy}
          onClick={() => void make('grant', t('Anyone with the link can run it'))}
        />
      )}
    </section>
  );
}

async function copy(address: string): Promise<void> {
  if (await bridge.copyText(address)) showMessage(t('Copied'));
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
