import { useEffect, useRef, type MouseEvent as ReactMouseEvent } from 'react';

/** Maximum pointer movement in pixels between press and release that still counts as a click. */
const DRAG_PX = 4;

type WithKeys = Pick<MouseEvent, 'ctrlKey' | 'metaKey'>;

interface PressHandlers {
  onMouseDown(event: ReactMouseEvent): void;
  onClick(event: ReactMouseEvent): void;
}

/**
 * Returns handlers for the element around rows that may move during a click, for example when search results arrive.
 * The row under the pointer at the press is picked at the release, even if another element is under the pointer by
 * then. The focus does not move.
 * @param rowAt returns the row of an element, according to the last render
 */
export function useSteadyPress<Row>(
  rowAt: (element: Element) => Row | undefined,
  onPick: (row: Row, keys: WithKeys) => void,
): PressHandlers {
  const forget = useRef<() => void>(undefined);
  useEffect(() => () => forget.current?.(), []);
  return {
    onMouseDown: (down) => {
      down.preventDefault();
      forget.current?.();
      const row = rowAt(down.target as Element);
      if (row === undefined || down.button !== 0) return;
      const { clientX, clientY } = down;
      // Registered on window, because the element may shrink and no longer be under the pointer.
      const release = (up: MouseEvent): void => {
        forget.current?.();
        if (Math.hypot(up.clientX - clientX, up.clientY - clientY) <= DRAG_PX) onPick(row, up);
      };
      window.addEventListener('mouseup', release);
      forget.current = () => window.removeEventListener('mouseup', release);
    },
    // A click without a pointer, as screen readers trigger it.
    onClick: (click) => {
      if (click.detail !== 0) return;
      const row = rowAt(click.target as Element);
      if (row !== undefined) onPick(row, click);
    },
  };
}

/** Returns the row whose element has the id, given rows with the ids `idOf(0)`, `idOf(1)` … */
export function rowWithId<Row>(
  rows: readonly Row[],
  idOf: (index: number) => string,
  element: Element,
): Row | undefined {
  const id = element.closest('[role=option]')?.id;
  return rows.find((_, index) => idOf(index) === id);
}
