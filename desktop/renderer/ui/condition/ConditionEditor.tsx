import { Button, Callout, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { useState } from 'react';
import { ConditionError } from '#shared/codecs/condition.ts';
import type { ConditionColumn } from '#shared/codecs/condition-columns.ts';
import { said, t } from '#renderer/language/translate.ts';
import { changeNode, newGroup, textOfDraft, type DraftGroup } from './condition-draft.ts';
import { ConditionGroup, type GroupContext } from './ConditionGroup.tsx';
import type { PickerSource } from '#renderer/ui/picker/picker-source.ts';
import './condition.css';

interface ConditionEditorProps {
  name: string;
  columns: readonly ConditionColumn[];
  /** The parsed text; null if it was not a valid condition. */
  initial: DraftGroup | null;
  /** Returns the values to pick from. */
  valuesOf: (column: ConditionColumn) => PickerSource;
  onClose: () => void;
  onDone: (text: string) => void;
}

/** Dialog that builds a condition from groups of comparisons. */
export function ConditionEditor({ name, columns, initial, valuesOf, onClose, onDone }: ConditionEditorProps) {
  const [draft, setDraft] = useState(() => initial ?? newGroup());
  const [issue, setIssue] = useState<string | null>(initial ? null : 'Condition is invalid');
  const isReplacing = initial === null;
  const context: GroupContext = {
    columns,
    valuesOf,
    change: (id, change) => {
      setIssue(null);
      setDraft((group) => changeNode(group, id, change));
    },
  };
  const finish = (): void => {
    try {
      onDone(textOfDraft(draft, columns));
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      setIssue(error.message);
    }
  };
  return (
    <Dialog
      isOpen
      title={t('Condition of {name}', { name })}
      className="rs-condition-dialog"
      onClose={onClose}
      icon={null}
    >
      <DialogBody>
        {issue !== null && (
          <Callout intent="danger" role="alert" className="rs-condition-issue">
            {said(issue)}
            {isReplacing && (
              <p>{t('OK replaces the text with the condition that you build here; Cancel leaves it unchanged.')}</p>
            )}
          </Callout>
        )}
        <ConditionGroup group={draft} context={context} path="" />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('Cancel')} onClick={onClose} />
            <Button text={t('OK')} intent="primary" onClick={finish} />
          </>
        }
      />
    </Dialog>
  );
}
