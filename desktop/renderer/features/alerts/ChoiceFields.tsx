import { Checkbox, HTMLSelect } from '@blueprintjs/core';
import {
  NOTICE_KINDS,
  type NoticeChannels,
  type NoticeKind,
  type NotificationChoices,
} from '#shared/contract/notification-choices.ts';
import { t } from '#renderer/language/translate.ts';
import { FormField } from '#renderer/ui/FormField.tsx';
import { Card } from '#renderer/ui/Page.tsx';

const KINDS: Record<NoticeKind, { title: string; about: string }> = {
  Runs: { title: t('My runs'), about: t('Runs that you started, also through a schedule or trigger') },
  Activities: {
    title: t('What I own'),
    about: t('Failed runs by others of activities that you published and of workflows that you created'),
  },
  Approvals: { title: t('Approvals'), about: t('Approvals that wait for you, and those of your runs') },
  Shares: { title: t('Shares'), about: t('Activities that others share with you') },
  Requests: { title: t('Access requests'), about: t('Access requests that you can decide') },
};

const CHANNELS: Record<keyof NoticeChannels, string> = {
  Portal: t('In the portal'),
  Mail: t('By email'),
  Desktop: t('On the desktop'),
};
const CHANNEL_KEYS = ['Portal', 'Mail', 'Desktop'] as const;

interface ChoiceFieldsProps {
  /** False if the portal sends no mail. */
  canMail: boolean;
  chosen: NotificationChoices;
  onChange: (chosen: NotificationChoices) => void;
}

/** What the person is notified of, by kind and channel. */
export function ChoiceFields({ canMail, chosen, onChange: setChosen }: ChoiceFieldsProps) {
  return (
    <Card title={t('What you are notified of')}>
      <ul className="rs-plain-list rs-notice-kinds">
        {NOTICE_KINDS.map((kind) => (
          <Kind
            key={kind}
            kind={kind}
            canMail={canMail}
            channels={chosen[kind]}
            onChange={(channels) => setChosen({ ...chosen, [kind]: channels })}
          />
        ))}
        <li>
          <div>
            <strong>{t('Alerts')}</strong>
            <div className="rs-muted">{t('Each alert says whether it notifies in the portal or by email')}</div>
          </div>
          <div className="rs-notice-channels" role="group" aria-label={t('Alerts')}>
            <Checkbox
              label={CHANNELS.Desktop}
              checked={chosen.Alerts.Desktop}
              onChange={({ currentTarget: { checked } }) => setChosen({ ...chosen, Alerts: { Desktop: checked } })}
            />
          </div>
        </li>
      </ul>
      {!canMail && <p className="rs-muted">{t('Email is not available, because this portal sends none.')}</p>}
      <FormField
        label={t('Of my runs')}
        helper={t('Successful runs of an activity are combined in one line: “97 runs of Month close succeeded”')}
      >
        {({ id }) => (
          <HTMLSelect
            id={id}
            value={chosen.RunLevel}
            options={[
              { value: 'Problems', label: t('Only problems') },
              { value: 'All', label: t('Problems and runs that succeeded') },
            ]}
            onChange={({ currentTarget: { value } }) =>
              setChosen({ ...chosen, RunLevel: value === 'All' ? 'All' : 'Problems' })
            }
          />
        )}
      </FormField>
    </Card>
  );
}

interface KindProps {
  kind: NoticeKind;
  canMail: boolean;
  channels: NoticeChannels;
  onChange: (channels: NoticeChannels) => void;
}

function Kind({ kind, canMail, channels, onChange }: KindProps) {
  const { title, about } = KINDS[kind];
  // The desktop client shows what the portal shows.
  const isOff = (channel: keyof NoticeChannels): boolean =>
    (channel === 'Desktop' && !channels.Portal) || (channel === 'Mail' && !canMail);
  return (
    <li>
      <div>
        <strong>{title}</strong>
        <div className="rs-muted">{about}</div>
      </div>
      <div className="rs-notice-channels" role="group" aria-label={title}>
        {CHANNEL_KEYS.map((channel) => (
          <Checkbox
            key={channel}
            label={CHANNELS[channel]}
            checked={channels[channel] && !isOff(channel)}
            disabled={isOff(channel)}
            onChange={({ currentTarget: { checked } }) => onChange({ ...channels, [channel]: checked })}
          />
        ))}
      </div>
    </li>
  );
}
