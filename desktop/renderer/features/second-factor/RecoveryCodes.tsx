import { Button } from '@blueprintjs/core';
import { Duplicate } from '@blueprintjs/icons';
import { bridge } from '#renderer/api/bridge.ts';
import { t } from '#renderer/language/translate.ts';
import { showError, showSuccess } from '#renderer/ui/toaster.tsx';
import './second-factor.css';

async function copy(codes: readonly string[]): Promise<void> {
  if (await bridge.copyText(codes.join('\n'))) showSuccess(t('Copied'));
  else showError(t('This browser does not allow copying the codes'));
}

/** Shows the recovery codes. This is the only time that they are shown. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <div>
      <p>
        {t(
          'If you lose your authenticator app, sign in with one of these recovery codes instead. Each code works once. Keep them in a safe place. They are not shown again.',
        )}
      </p>
      <ul className="rs-recovery-codes" aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="rs-form-actions">
        <Button intent="primary" text={t('I have saved them')} onClick={onDone} />
        <Button icon={<Duplicate />} text={t('Copy')} onClick={() => void copy(codes)} />
      </div>
    </div>
  );
}
