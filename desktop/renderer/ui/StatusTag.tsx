import type { Intent } from '@blueprintjs/core';
import {
  BanCircle,
  Cog,
  Disable,
  Error as ErrorIcon,
  FolderOpen,
  Key,
  Minus,
  Offline,
  Pause,
  Play,
  TickCircle,
  Time,
  WarningSign,
} from '@blueprintjs/icons';
import type { ComponentType } from 'react';
import { STATUS_TEXT, type RunStatus } from '#shared/contract/run-status.ts';
import { said, t } from '#renderer/language/translate.ts';

interface Look {
  Icon: ComponentType<{ size?: number; title?: string | false }>;
  intent: Intent;
}

/** Every status has its own icon shape, so that color is only an additional cue. */
const LOOKS: Record<RunStatus, Look> = {
  Queued: { Icon: Time, intent: 'none' },
  QueuedInSeq: { Icon: Pause, intent: 'none' },
  PickedUp: { Icon: FolderOpen, intent: 'primary' },
  Started: { Icon: Play, intent: 'primary' },
  Succeeded: { Icon: TickCircle, intent: 'success' },
  SucceededWarn: { Icon: WarningSign, intent: 'warning' },
  Failed: { Icon: ErrorIcon, intent: 'danger' },
  Cancelled: { Icon: BanCircle, intent: 'none' },
  LogicError: { Icon: Cog, intent: 'danger' },
  InternalError: { Icon: Disable, intent: 'danger' },
  Abandoned: { Icon: Offline, intent: 'danger' },
  NotLicensed: { Icon: Key, intent: 'danger' },
  NotRunToday: { Icon: Minus, intent: 'none' },
};

/** Returns Blueprint's intent for a status, for callouts and progress bars. */
export const statusIntent = (status: RunStatus): Intent => LOOKS[status].intent;

/** The icon of a status, to be used beside text that names it. */
export function StatusIcon({ status }: { status: RunStatus }) {
  const { Icon } = LOOKS[status];
  return <Icon size={16} title={false} />;
}

/** Returns the word for a status: 'Running', 'Succeeded'. */
export const statusText = (status: RunStatus): string => said(STATUS_TEXT[status]) || t('Not run today');

export interface StatusTagProps {
  status: RunStatus;
  /** True to show only the icon; the word is its tooltip and accessible name. */
  compact?: boolean;
}

/** A run's status: icon and word. */
export function StatusTag({ status, compact }: StatusTagProps) {
  const { Icon, intent } = LOOKS[status];
  const text = statusText(status);
  return (
    <span className={`rs-status rs-status-${intent}`} title={compact ? text : undefined}>
      <Icon size={16} title={false} />
      <span className={compact ? 'rs-visually-hidden' : undefined}>{text}</span>
    </span>
  );
}
