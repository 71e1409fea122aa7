import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { said, t } from '#renderer/language/translate.ts';

export interface BulkProblem {
  name: string;
  reason: string;
}

/** Names what stayed as it was, and why; hidden if there is nothing. */
export function BulkProblems({ problems, onClose }: { problems: readonly BulkProblem[]; onClose: () => void }) {
  return (
    <Dialog isOpen={problems.length > 0} title={t('Not everything was changed')} icon={null} onClose={onClose}>
      <DialogBody>
        <ProblemList problems={problems} />
      </DialogBody>
      <DialogFooter actions={<Button text={t('Close')} onClick={onClose} />} />
    </Dialog>
  );
}

export function ProblemList({ problems }: { problems: readonly BulkProblem[] }) {
  return (
    <ul className="rs-plain-list">
      {problems.map(({ name, reason }) => (
        <li key={name}>
          <strong>{name}</strong>: {said(reason)}
        </li>
      ))}
    </ul>
  );
}
