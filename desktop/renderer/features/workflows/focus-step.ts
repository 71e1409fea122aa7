import { stepButtonId } from './StepRow.tsx';

const MAX_FRAMES = 30;

/**
 * Focuses a step in the list or in the graph, whichever is shown. It tries again with the next frames: the graph draws
 * a step only once it is in view.
 */
export function focusStep(key: string): void {
  let frames = 0;
  const attempt = (): void => {
    const element = stepElement(key);
    element?.focus({ preventScroll: element.tagName !== 'BUTTON' });
    frames += 1;
    if ((!element || document.activeElement !== element) && frames < MAX_FRAMES) requestAnimationFrame(attempt);
  };
  attempt();
}

const stepElement = (key: string): HTMLElement | null =>
  document.getElementById(stepButtonId(key)) ??
  document.querySelector<HTMLElement>(`.rs-graph .react-flow__node[data-id="${CSS.escape(key)}"]`);
