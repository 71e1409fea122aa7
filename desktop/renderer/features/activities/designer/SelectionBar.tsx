import { Button, ButtonGroup } from '@blueprintjs/core';
import { ArrowLeft, ArrowRight, Cross } from '@blueprintjs/icons';
import type { MarkRole } from '#shared/contract/designs.ts';
import { t } from '#renderer/language/translate.ts';

interface SelectionBarProps {
  /** Role of the mark or proposal at the selection. */
  role: MarkRole | null;
  isMarked: boolean;
  onMark: (role: MarkRole) => void;
  onUnmark: () => void;
}

/** Buttons that mark the selected cells. They stand above the sheet so they cover no cells. */
export function SelectionBar({ role, isMarked, onMark, onUnmark }: SelectionBarProps) {
  return (
    <ButtonGroup className="rs-selection-bar">
      <Button
        icon={<ArrowRight />}
        text={t('Input')}
        title={t('Mark as input (I)')}
        active={isMarked && role === 'Input'}
        onClick={() => onMark('Input')}
      />
      <Button
        icon={<ArrowLeft />}
        text={t('Output')}
        title={t('Mark as output (O)')}
        active={isMarked && role === 'Output'}
        onClick={() => onMark('Output')}
      />
      {isMarked && (
        <Button
          icon={<Cross />}
          aria-label={t('Remove the mark')}
          title={t('Remove the mark (Delete)')}
          onClick={onUnmark}
        />
      )}
    </ButtonGroup>
  );
}
