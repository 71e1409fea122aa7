import { Button } from '@blueprintjs/core';
import { ChevronDown, ChevronRight, DragHandleVertical, WarningSign } from '@blueprintjs/icons';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import type { Mark, MarkRole } from '#shared/contract/designs.ts';
import { useReorder } from '#renderer/ui/use-reorder.ts';
import { t } from '#renderer/language/translate.ts';
import { keyOfMark } from './marks.ts';
import { PlaceText } from './PlaceText.tsx';

interface MarkListProps {
  role: MarkRole;
  /** The marks in the order of the form. */
  marks: readonly Mark[];
  chosen: string | null;
  problemsOf: (mark: Mark) => number;
  onChoose: (mark: Mark) => void;
  onMove: (from: number, to: number) => void;
  /** The details of the chosen mark. */
  details: ReactNode;
}

/** The list of inputs or outputs, in the order in which people see them. */
export function MarkList({ role, marks, chosen, problemsOf, onChoose, onMove, details }: MarkListProps) {
  const list = useRef<HTMLOListElement>(null);
  const { dragging, onPointerDown } = useReorder(list, onMove);
  const title = role === 'Input' ? t('Inputs') : t('Outputs');
  const move = (event: KeyboardEvent<HTMLElement>, index: number): void => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    const to = index + step;
    if (!event.altKey || step === 0 || to < 0 || to >= marks.length) return;
    event.preventDefault();
    onMove(index, to);
    // Keep the focus on the same mark at its new position.
    requestAnimationFrame(() => list.current?.children[to]?.querySelector<HTMLElement>('.rs-mark-name')?.focus());
  };
  return (
    <section className="rs-mark-section" aria-label={title}>
      <h3>
        {title} <span className="rs-muted">{marks.length}</span>
      </h3>
      {marks.length === 0 ? (
        <p className="rs-muted">
          {role === 'Input'
            ? t('Select the cells that people fill in, and press I.')
            : t('Select the cells that hold results, and press O.')}
        </p>
      ) : (
        <ol ref={list} className="rs-mark-list">
          {marks.map((mark, index) => {
            const key = keyOfMark(mark);
            const isChosen = key === chosen;
            return (
              <li key={key} className={dragging?.to === index ? 'rs-mark-item is-target' : 'rs-mark-item'}>
                <div className="rs-mark-line">
                  <span className="rs-mark-grip" aria-hidden onPointerDown={(event) => onPointerDown(event, index)}>
                    <DragHandleVertical title={false} />
                  </span>
                  <Button
                    className="rs-mark-name"
                    variant="minimal"
                    alignText="start"
                    fill
                    active={isChosen}
                    aria-expanded={isChosen}
                    title={t('Alt+Arrow up, Alt+Arrow down: change the order')}
                    icon={isChosen ? <ChevronDown /> : <ChevronRight />}
                    onClick={() => onChoose(mark)}
                    onKeyDown={(event) => move(event, index)}
                  >
                    <span dir="auto">{mark.Name}</span>{' '}
                    <span className="rs-muted">
                      <PlaceText sheet={mark.Sheet} range={mark.Range} />
                    </span>
                  </Button>
                  {problemsOf(mark) > 0 && <WarningSign className="rs-danger-text" title={t('has problems')} />}
                </div>
                {isChosen && details}
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}
