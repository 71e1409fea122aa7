import { Button } from '@blueprintjs/core';
import { Duplicate } from '@blueprintjs/icons';
import { bridge } from '#renderer/api/bridge.ts';
import { t } from '#renderer/language/translate.ts';
import { showError, showSuccess } from '#renderer/ui/toaster.tsx';
import './second-factor.css';

async function copy(codes: readonly string[]): Promise<void> {
  if (await bridge.copyText(codes.join('\n'))) showSuccess(t('Copied'));
  else showError(t('This browser does not let the codes be copied'));
}

/** Shows the recovery codes. This is the only time that they are shown. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <div>
      <p>
        {t(
          'Each of these recovery codes works once, in place of a code of your app: for the day when you have lost it. Keep them in a safe place. They are not shown again.',
        )}
      </p>
      <ul className="rs-recovery-codes" aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="rs-form-actions">
        <Button intent="primary" text={t('I have kept them')} onClick={onDone} />
        <Button icon={<Duplicate />} text={t('Copy')} onClick={() => void copy(codes)} />
      </div>
    </div>
  );
}
