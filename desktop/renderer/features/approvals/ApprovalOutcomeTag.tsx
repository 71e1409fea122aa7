import type { Intent } from '@blueprintjs/core';
import { BanCircle, BlockedPerson, Endorsed, Error as ErrorIcon, Outdated, Time } from '@blueprintjs/icons';
import type { ComponentType } from 'react';
import type { ApprovalOutcome } from '#shared/contract/approvals.ts';
import { t } from '#renderer/language/translate.ts';

interface Look {
  Icon: ComponentType<{ size?: number; title?: string | false }>;
  intent: Intent;
  text: string;
}

/** Each outcome has its own shape, so that no information depends on color alone. */
const LOOKS: Record<ApprovalOutcome, Look> = {
  Open: { Icon: Time, intent: 'primary', text: t('Waits for approval') },
  Approved: { Icon: Endorsed, intent: 'success', text: t('Approved') },
  Rejected: { Icon: ErrorIcon, intent: 'danger', text: t('Rejected') },
  Expired: { Icon: Outdated, intent: 'warning', text: t('Expired') },
  NoApprovers: { Icon: BlockedPerson, intent: 'danger', text: t('Too few approvers') },
  Cancelled: { Icon: BanCircle, intent: 'none', text: t('No longer needed') },
};

export function ApprovalOutcomeTag({ outcome }: { outcome: ApprovalOutcome }) {
  const { Icon, intent, text } = LOOKS[outcome];
  return (
    <span className={`rs-status rs-status-${intent}`}>
      <Icon size={16} title={false} />
      <span>{text}</span>
    </span>
  );
}
