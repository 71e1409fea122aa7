import type { User } from '#shared/contract/users.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { t } from '#renderer/language/translate.ts';
import type { BulkProblem } from './BulkProblems.tsx';

interface LinkSending {
  sendTo: (userId: number) => Promise<unknown>;
  /** Called with the number of users who are done. */
  onDone: (done: number) => void;
  isStopped: () => boolean;
}

/**
 * Mails links one after the other, because mail servers often refuse several connections at once. Names everybody who
 * got none. Ends early if it is stopped, or if the server cannot be reached.
 */
export async function sendLinks(
  users: readonly Pick<User, 'UserId' | 'UserName'>[],
  { sendTo, onDone, isStopped }: LinkSending,
): Promise<{ sent: number; problems: BulkProblem[] }> {
  const problems: BulkProblem[] = [];
  let sent = 0;
  let isOver = false;
  for (const [index, { UserId, UserName }] of users.entries()) {
    if (isOver || isStopped()) {
      problems.push({ name: UserName, reason: t('Not sent') });
      continue;
    }
    try {
      await sendTo(UserId);
      sent++;
    } catch (error) {
      const { status, message } = toFailure(error);
      isOver = status === 0;
      problems.push({ name: UserName, reason: message });
    }
    onDone(index + 1);
  }
  return { sent, problems };
}
