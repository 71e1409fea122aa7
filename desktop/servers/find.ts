/** The bar by which text is found in the page of the window under it. */
import type { Found, ServersBridge } from '#bridge/messages.ts';
import { button, element } from './elements.ts';

const textOf = ({ Count, Active }: Found): string => (Count === 0 ? 'Not found' : `${Active} of ${Count}`);

export function showFind(page: HTMLElement, bridge: ServersBridge): void {
  const input = element('input', { type: 'search', 'aria-label': 'Find in the page', spellcheck: 'false' });
  const result = element('output', { class: 'muted' });
  const find = async (isForward: boolean): Promise<void> => {
    const text = input.value;
    const found = await bridge.findInPage(text, isForward);
    // An answer to what was typed before tells nothing any more.
    if (input.value === text) result.textContent = text === '' ? '' : textOf(found);
  };
  const close = (): void => void bridge.closeFind();
  input.addEventListener('input', () => void find(true));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && event.target === input) void find(!event.shiftKey);
    else return;
    event.preventDefault();
  });
  document.title = 'Find';
  document.body.className = 'find';
  page.replaceChildren(
    element(
      'div',
      { role: 'search' },
      input,
      result,
      button('↑', () => void find(false), { 'aria-label': 'Previous', title: 'Previous' }),
      button('↓', () => void find(true), { 'aria-label': 'Next', title: 'Next' }),
      button('✕', close, { 'aria-label': 'Close', title: 'Close' }),
    ),
  );
  input.focus();
}
