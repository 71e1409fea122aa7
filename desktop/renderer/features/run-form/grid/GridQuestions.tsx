import { useMemo } from 'react';
import { t } from '#renderer/language/translate.ts';
import { ChoiceQuestion } from '#renderer/ui/ChoiceQuestion.tsx';
import type { GridEditing } from './use-grid-editing.ts';
import { ambiguousColumns } from './ambiguous-cells.ts';

interface GridQuestionsProps {
  editing: GridEditing;
  columnNames: readonly string[];
}

/** Questions about ambiguous typed and pasted texts, one per column. */
export function GridQuestions({ editing, columnNames }: GridQuestionsProps) {
  const { rows, shape } = editing;
  const asked = useMemo(() => ambiguousColumns(rows, shape), [rows, shape]);
  return (
    <div role="status">
      {asked.map(({ col, text, kind, choices, count }) => (
        <ChoiceQuestion
          key={col}
          text={text}
          kind={kind}
          choices={choices}
          column={{ name: columnNames[col] || t('Column {number}', { number: col + 1 }), count }}
          onChoose={({ region }) => editing.answer(col, region)}
        />
      ))}
    </div>
  );
}
