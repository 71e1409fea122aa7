import { HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { parseNumber } from '#shared/codecs/number-text.ts';
import { PUBLIC_LINK_MAX_RUNS, savePublicLink, type PublicLink } from '#shared/contract/sharing.ts';
import { call } from '#renderer/api/client.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';
import { editedNumber, neutralNumber } from '#renderer/language/typed-numbers.ts';
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
  { days: null, text: t('Unlimited') },
];
const STANDARD = '30';

/** The end that the link already has. */
const PRESENT = 'present';

interface PublicLinkDialogProps {
  id: number;
  link: PublicLink;
  onClose: () => void;
}

/** Asks for the limits of a public link, and for a confirmation, because it opens the activity to everybody. */
export function PublicLinkDialog({ id, link, onClose }: PublicLinkDialogProps) {
  const isNew = !link.IsOwn;
  const limits = useLimits(link);
  const { period, periods, Days, runs, isWrong } = limits;
  const { isBusy, change } = useChange(LINK_TOUCHED);
  const save = async (): Promise<void> => {
    if (isWrong) return;
    const { body } = limits;
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
        label={t('The link is valid for')}
        helper={typeof Days === 'number' ? t('Until {day}', { day: dayAfter(Days) }) : undefined}
      >
        {(field) => (
          <HTMLSelect
            {...field}
            value={period}
            options={periods}
            onChange={(event) => limits.setPeriod(event.currentTarget.value)}
          />
        )}
      </FormField>
      <TextField
        label={t('Maximum number of runs')}
        labelInfo={t('(optional)')}
        inputMode="numeric"
        value={runs}
        helper={limits.runsNote}
        error={isWrong ? wrongRuns() : null}
        onChange={limits.setRuns}
      />
    </ConfirmDialog>
  );
}

const wrongRuns = (): string =>
  t('Enter a whole number from {least} to {most}', { least: 1, most: numberText(PUBLIC_LINK_MAX_RUNS) });

/**
 * The limits as entered, at first those that the link has. A limit that the user does not change stays as it is: a
 * longer period must neither remove the number of runs nor forget how many were used.
 */
function useLimits({ IsOwn, IsOpen, ExpiryTime, MaxRuns, RunCount }: PublicLink) {
  const isValid = IsOwn && IsOpen;
  const end = isValid ? ExpiryTime : null;
  const [chosen, setPeriod] = useState(end !== null ? PRESENT : isValid ? '' : STANDARD);
  // The link may end while this is open.
  const period = chosen === PRESENT && end === null ? STANDARD : chosen;
  const presentRuns = IsOwn && MaxRuns !== null ? editedNumber(MaxRuns) : '';
  const [runs, setRuns] = useState(presentRuns);
  const isUsedUp = MaxRuns !== null && RunCount >= MaxRuns;
  const keepsRuns = IsOwn && runs.trim() === presentRuns && !isUsedUp;
  const Days = period === PRESENT ? undefined : period === '' ? null : Number(period);
  const count = runs.trim() === '' ? null : (parseNumber(neutralNumber(runs)) ?? NaN);
  const isWrong = count !== null && !(Number.isInteger(count) && count >= 1 && count <= PUBLIC_LINK_MAX_RUNS);
  const periods = PERIODS.map(({ days, text }) => ({ value: days === null ? '' : String(days), label: text }));
  if (end !== null) periods.unshift({ value: PRESENT, label: t('Until {day}', { day: formatDay(end) }) });
  return {
    period,
    setPeriod,
    periods,
    Days,
    runs,
    setRuns,
    isWrong,
    runsNote: keepsRuns || count === null ? undefined : t('Counted from now on.'),
    body: { Days, ...(keepsRuns ? {} : { MaxRuns: count }) },
  };
}

const dayAfter = (days: number): string => formatDay(new Date(Date.now() + days * DAY_MS).toISOString());
