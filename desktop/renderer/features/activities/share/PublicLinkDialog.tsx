import { HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { PUBLIC_LINK_MAX_RUNS, savePublicLink, type PublicLink } from '#shared/contract/sharing.ts';
import { call } from '#renderer/api/client.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { t } from '#renderer/language/translate.ts';
import { ConfirmDialog } from '#renderer/ui/ConfirmDialog.tsx';
import { formatDay } from '#renderer/ui/format-date.ts';
import { FormField, TextField } from '#renderer/ui/FormField.tsx';
import { LINK_TOUCHED } from './link-queries.ts';

const DAY_MS = 86_400_000;
/** Offered periods; null for no end. */
const PERIODS: readonly { days: number | null; text: string }[] = [
  { days: 1, text: t('1 day') },
  { days: 7, text: t('7 days') },
  { days: 30, text: t('30 days') },
  { days: 90, text: t('90 days') },
  { days: 365, text: t('1 year') },
  { days: null, text: t('No end') },
];
const STANDARD = '30';

interface PublicLinkDialogProps {
  id: number;
  /** The link whose limits are changed; null for a new one. */
  present: PublicLink | null;
  onClose: () => void;
}

/** Asks for the limits of a public link, and for a confirmation, because it opens the activity to everybody. */
export function PublicLinkDialog({ id, present, onClose }: PublicLinkDialogProps) {
  const isNew = present === null;
  // What the link already has must not be dropped unseen by changing the other limit.
  const [period, setPeriod] = useState(present?.ExpiryTime === null ? '' : STANDARD);
  const [typed, setTyped] = useState(present?.MaxRuns ? String(present.MaxRuns) : '');
  const { isBusy, change } = useChange(LINK_TOUCHED);
  const Days = period === '' ? null : Number(period);
  const runs = typed.trim();
  const isWrong = runs !== '' && !(/^[1-9]\d*$/.test(runs) && Number(runs) <= PUBLIC_LINK_MAX_RUNS);
  const save = async (): Promise<void> => {
    if (isWrong) return;
    const body = { Days, MaxRuns: runs === '' ? null : Number(runs) };
    if (await change(() => call(savePublicLink, { params: { id }, body }), t('Anyone with the link can run it')))
      onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      title={isNew ? t('Create public link') : t('Change its limits')}
      confirmText={isNew ? t('Create public link') : t('Save limits')}
      isBusy={isBusy}
      onConfirm={() => void save()}
      onCancel={onClose}
    >
      <p>{t('Anyone who gets the link can run the activity, without an account and from anywhere.')}</p>
      <FormField
        label={t('The link works for')}
        helper={Days === null ? undefined : t('Until {day}', { day: dayAfter(Days) })}
      >
        {(field) => (
          <HTMLSelect
            {...field}
            value={period}
            options={PERIODS.map(({ days, text }) => ({ value: days === null ? '' : String(days), label: text }))}
            onChange={(event) => setPeriod(event.currentTarget.value)}
          />
        )}
      </FormField>
      <TextField
        label={t('Maximum number of runs')}
        labelInfo={t('(optional)')}
        inputMode="numeric"
        value={typed}
        error={isWrong ? t('Enter a whole number of at least 1') : null}
        onChange={setTyped}
      />
    </ConfirmDialog>
  );
}

const dayAfter = (days: number): string => formatDay(new Date(Date.now() + days * DAY_MS).toISOString());
