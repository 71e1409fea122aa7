import { useMemo } from 'react';
import type { SecondFactorKey } from '#shared/contract/auth.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { qrPicture } from '#renderer/ui/qr-picture.ts';
import './second-factor.css';

/**
 * The key for an authenticator app: as a QR code for its camera, as a link for an app on this device, and as text to
 * type.
 */
export function FactorSetup({ setup }: { setup: SecondFactorKey }) {
  return (
    <div className="rs-factor-setup">
      <p>
        {rich(
          'Scan this code with an authenticator app, or add the key to the app as a time-based key. On a device that has such an app, <a>open the key in the app</a>. Then enter the code that the app shows.',
          { a: <a href={setup.Uri} /> },
        )}
      </p>
      <QrCode text={setup.Uri} />
      <p className="rs-factor-key" aria-label={t('Key for the app')}>
        {setup.Key.replaceAll(/(.{4})(?=.)/g, '$1 ')}
      </p>
    </div>
  );
}

function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => qrPicture(text), [text]);
  return (
    <svg
      className="rs-factor-qr"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={t('QR code of the key; the same key is shown below as text')}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
