import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLongPress, HOLD_MS } from './long-press.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const at = (clientX: number, clientY: number, pointerId = 1) => ({ pointerId, clientX, clientY });

function press() {
  const onHold = vi.fn();
  const hold = createLongPress();
  hold.down(at(50, 50), onHold);
  return { hold, onHold };
}

it('a finger that is held still is recognised once, although it trembles', () => {
  const { hold, onHold } = press();
  hold.move(at(54, 47));
  vi.advanceTimersByTime(HOLD_MS - 1);
  expect(onHold).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  hold.move(at(200, 50));
  hold.cancel();
  vi.advanceTimersByTime(HOLD_MS);
  expect(onHold).toHaveBeenCalledOnce();
});

it('a finger that moves or is lifted, and a sheet that scrolls, are not', () => {
  const moved = press();
  moved.hold.move(at(50, 61));
  const lifted = press();
  lifted.hold.cancel();
  vi.advanceTimersByTime(HOLD_MS);
  expect(moved.onHold).not.toHaveBeenCalled();
  expect(lifted.onHold).not.toHaveBeenCalled();
});

it('two fingers zoom, and the movement of another pointer means nothing', () => {
  const { hold, onHold } = press();
  hold.move(at(300, 300, 2));
  const onSecond = vi.fn();
  hold.down(at(90, 90, 2), onSecond);
  vi.advanceTimersByTime(HOLD_MS);
  expect([onHold, onSecond].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  hold.down(at(50, 50), onHold);
  vi.advanceTimersByTime(HOLD_MS);
  expect(onHold).toHaveBeenCalledOnce();
});
