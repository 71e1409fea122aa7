import { useEffect, useRef, type MouseEvent as ReactMouseEvent } from 'react';

/** A pointer that moves further between press and release, in pixels, drags. */
const DRAG_PX = 4;

type WithKeys = Pick<MouseEvent, 'ctrlKey' | 'metaKey'>;

interface PressHandlers {
  onMouseDown(event: ReactMouseEvent): void;
  onClick(event: ReactMouseEvent): void;
}

/**
 * Handlers for the element around rows that may move while one of them is pressed, as when the server answers a search. The row under the pointer at
 * the press is picked at the release, although something else is under the pointer by then. The focus stays where it is.
 * @param rowAt the row of an element, as the rows were last drawn
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
      // On the window, since the element may have shrunk away from under the pointer.
      const release = (up: MouseEvent): void => {
        forget.current?.();
        if (Math.hypot(up.clientX - clientX, up.clientY - clientY) <= DRAG_PX) onPick(row, up);
      };
      window.addEventListener('mouseup', release);
      forget.current = () => window.removeEventListener('mouseup', release);
    },
    // A click without a pointer, as a screen reader makes it.
    onClick: (click) => {
      if (click.detail !== 0) return;
      const row = rowAt(click.target as Element);
      if (row !== undefined) onPick(row, click);
    },
  };
}

/** The row whose element has the id, of rows with the ids `idOf(0)`, `idOf(1)` … */
export function rowWithId<Row>(
  rows: readonly Row[],
  idOf: (index: number) => string,
  element: Element,
): Row | undefined {
  const id = element.closest('[role=option]')?.id;
  return rows.find((_, index) => idOf(index) === id);
}
