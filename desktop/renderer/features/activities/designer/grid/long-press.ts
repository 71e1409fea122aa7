/** Recognises a finger or a pen that is held still. Moving it scrolls, so movement ends the recognition. */

/** Shorter than the time after which browsers open their own menu. */
export const HOLD_MS = 400;
/** Pixels that a finger may tremble. */
const TOLERANCE = 10;

interface Point {
  pointerId: number;
  clientX: number;
  clientY: number;
}

export interface LongPress {
  /** Starts waiting; a second finger ends it. @param onHold called once if the pointer is held still */
  down: (at: Point, onHold: () => void) => void;
  move: (at: Point) => void;
  /** Call this when the pointer is released or taken over by the browser, and when something scrolls. */
  cancel: () => void;
}

export function createLongPress(): LongPress {
  let held: (Point & { timer: ReturnType<typeof setTimeout> }) | null = null;
  const cancel = (): void => {
    if (held) clearTimeout(held.timer);
    held = null;
  };
  return {
    cancel,
    down: ({ pointerId, clientX, clientY }, onHold) => {
      const isAlone = held === null;
      cancel();
      if (!isAlone) return;
      const timer = setTimeout(() => {
        held = null;
        onHold();
      }, HOLD_MS);
      held = { pointerId, clientX, clientY, timer };
    },
    move: ({ pointerId, clientX, clientY }) => {
      if (held?.pointerId !== pointerId) return;
      if (Math.hypot(clientX - held.clientX, clientY - held.clientY) > TOLERANCE) cancel();
    },
  };
}
