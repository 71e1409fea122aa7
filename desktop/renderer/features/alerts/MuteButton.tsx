import { Button, PopoverNext } from '@blueprintjs/core';
import { Notifications, NotificationsSnooze } from '@blueprintjs/icons';
import { allAlerts, muteAlert, unmuteAlert, type AlertEntry } from '#shared/contract/alert-rules.ts';
import { call } from '#renderer/api/client.ts';
import { rich, t } from '#renderer/language/translate.ts';
import { useChange } from '#renderer/ui/query/use-change.ts';
import { DateText } from '#renderer/ui/texts.tsx';
import { MenuEntries } from '#renderer/ui/TitleMenu.tsx';

const TOUCHED = [allAlerts];

const CHOICES: readonly { text: string; minutes: number | null }[] = [
  { text: t('For 1 hour'), minutes: 60 },
  { text: t('For 8 hours'), minutes: 480 },
  { text: t('For 1 day'), minutes: 1440 },
  { text: t('For 1 week'), minutes: 10_080 },
  { text: t('Until I unmute it'), minutes: null },
];

const MINUTE = 60_000;

const minutesUntil = (time: string | null): number | null =>
  time === null ? null : Math.max(1, Math.ceil((Date.parse(time) - Date.now()) / MINUTE));

type Muted = Pick<AlertEntry, 'Id' | 'Name' | 'IsMuted' | 'MutedUntil'>;

/** Stops an alert from notifying this person; others are still notified. */
export function MuteButton({ item: { Id, Name, IsMuted, MutedUntil } }: { item: Muted }) {
  const { isBusy, change } = useChange(TOUCHED);
  const params = { id: Id };
  const mute = (Minutes: number | null) => call(muteAlert, { params, body: { Minutes } });
  const unmute = () => call(unmuteAlert, { params });
  if (IsMuted) {
    return (
      <span className="rs-alert-muted">
        <span className="rs-muted">
          {MutedUntil === null ? t('Muted') : rich('Muted until {time}', { time: <DateText value={MutedUntil} /> })}
        </span>
        <Button
          variant="minimal"
          size="small"
          icon={<Notifications />}
          text={t('Unmute')}
          aria-label={t('Unmute {name}', { name: Name })}
          loading={isBusy}
          onClick={() => void change(unmute, t('Alert unmuted'), () => mute(minutesUntil(MutedUntil)))}
        />
      </span>
    );
  }
  const entries = CHOICES.map(({ text, minutes: Minutes }) => ({
    text,
    onSelect: () => void change(() => mute(Minutes), t('Alert muted for you'), unmute),
  }));
  return (
    <PopoverNext placement="bottom-end" content={<MenuEntries entries={entries} />}>
      <Button
        variant="minimal"
        size="small"
        icon={<NotificationsSnooze />}
        text={t('Mute')}
        aria-label={t('Mute {name}', { name: Name })}
        aria-haspopup="menu"
        loading={isBusy}
      />
    </PopoverNext>
  );
}
