import { Button } from '@blueprintjs/core';
import { Endorsed, ThumbsDown } from '@blueprintjs/icons';
import { useState } from 'react';
import {
  APPROVAL_COMMENT_MAX,
  approvalCount,
  approvalDetails,
  approvals,
  decideApproval,
} from '#shared/contract/approvals.ts';
import { notifications } from '#shared/contract/notifications.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { keyOf, queryClient } from '#renderer/api/queries.ts';
import { t } from '#renderer/language/translate.ts';
import { TextField } from '#renderer/ui/FormField.tsx';
import { LeaveWarning } from '#renderer/ui/LeaveWarning.tsx';
import { Card } from '#renderer/ui/Page.tsx';
import { ErrorSummary, type ErrorSummaryProps } from '#renderer/ui/ErrorSummary.tsx';
import { showError, showSuccess } from '#renderer/ui/toaster.tsx';
import './approvals.css';

/** Queries that the decision changes. */
const CHANGED = [approvalDetails, approvals, approvalCount, notifications];

export function DecideForm({ id }: { id: number }) {
  const [comment, setComment] = useState('');
  const [issue, setIssue] = useState<string | null>(null);
  const [failure, setFailure] = useState<ErrorSummaryProps>({ title: null, attempt: 0 });
  const [busy, setBusy] = useState<'approve' | 'reject' | null>(null);

  async function decide(Approved: boolean): Promise<void> {
    if (!Approved && comment.trim() === '') {
      setIssue(t('Enter a reason for rejecting it'));
      document.getElementById(COMMENT_ID)?.focus();
      return;
    }
    setBusy(Approved ? 'approve' : 'reject');
    setFailure({ ...failure, title: null });
    try {
      await call(decideApproval, { params: { id }, body: { Approved, Comment: comment } });
      showSuccess(Approved ? t('You have approved it') : t('You have rejected it'));
    } catch (error) {
      const { message: title, status } = toFailure(error);
      // A refused approval may already be decided. The form then disappears, so show the error as a toast.
      if (status > 0 && status < 500) showError(title);
      else setFailure({ title, attempt: failure.attempt + 1 });
    }
    await Promise.all(CHANGED.map((endpoint) => queryClient.invalidateQueries({ queryKey: keyOf(endpoint) })));
    setBusy(null);
  }

  return (
    <Card title={t('Your decision')}>
      <LeaveWarning isUnsaved={comment.trim() !== '' && busy === null} />
      <TextField
        id={COMMENT_ID}
        label={t('Comment')}
        labelInfo={t('(required to reject)')}
        rows={3}
        maxLength={APPROVAL_COMMENT_MAX}
        value={comment}
        error={issue}
        onChange={(text) => {
          setComment(text);
          setIssue(null);
        }}
      />
      <ErrorSummary {...failure} />
      <div className="rs-decide">
        <Button
          size="large"
          intent="success"
          icon={<Endorsed />}
          text={t('Approve')}
          loading={busy === 'approve'}
          disabled={busy === 'reject'}
          onClick={() => void decide(true)}
        />
        <Button
          size="large"
          intent="danger"
          icon={<ThumbsDown />}
          text={t('Reject')}
          loading={busy === 'reject'}
          disabled={busy === 'approve'}
          onClick={() => void decide(false)}
        />
      </div>
    </Card>
  );
}

const COMMENT_ID = 'approval-comment';
