import { Button } from '@blueprintjs/core';
import { Help } from '@blueprintjs/icons';
import { editText, type CellKind } from '#shared/codecs/cell-text.ts';
import type { TextChoice } from '#shared/codecs/readings.ts';
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';

interface ChoiceQuestionProps {
  text: string;
  kind: CellKind;
  choices: readonly TextChoice[];
  /** The column of a grid and the number of its ambiguous cells; absent for a single value. */
  column?: { name: string; count: number };
  onChoose: (choice: TextChoice) => void;
}

/** Asks what a text means if the user's region leaves it ambiguous. */
export function ChoiceQuestion({ text, kind, choices, column, onChoose }: ChoiceQuestionProps) {
  const typed = editText(text, kind).trim();
  const question =
    choices.length > 1
      ? t('What do you mean by {text}?', { text: typed })
      : t('{text} is not in the format of your region. Do you mean this?', { text: typed });
  const counted = column && column.count > 1;
  return (
    <div className="rs-choice-question" role="group" aria-label={question}>
      <Help size={14} title={false} />
      <span>
        {column && <strong>{column.name}: </strong>}
        {question}
        {counted &&
          ` ${t('Your answer applies to all {count} cells of the column with this question.', { count: numberText(column.count) })}`}
      </span>
      {choices.map((choice) => (
        <Button
          key={String(choice.cell)}
          size="small"
          text={choiceText(choice, kind)}
          onClick={() => onChoose(choice)}
        />
      ))}
    </div>
  );
}

/** Formats numbers with group separators, so that the meaning is obvious. */
function choiceText({ cell }: TextChoice, kind: CellKind): string {
  const text = editText(cell, kind);
  return kind.usage === 'Number' && typeof cell === 'number' && !text.endsWith('%')
    ? numberText(cell, { maximumFractionDigits: 14 })
    : text;
}
