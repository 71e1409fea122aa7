/** The find bar, which searches text in the page of the window below it. */
import type { Found, ServersBridge } from '#bridge/messages.ts';
import { button, element } from './elements.ts';

type Translate = (text: string, values?: Record<string, string>) => string;

export function showFind(page: HTMLElement, bridge: ServersBridge, t: Translate): void {
  const textOf = ({ Count, Active }: Found): string =>
    Count === 0 ? t('Not found') : t('{active} of {count}', { active: String(Active), count: String(Count) });
  const input = element('input', { type: 'search', 'aria-label': t('Find in the page'), spellcheck: 'false' });
  const result = element('output', { class: 'muted' });
  const find = async (isForward: boolean): Promise<void> => {
    const text = input.value;
    const found = await bridge.findInPage(text, isForward);
    // Ignore the result if the search text has changed since.
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
  document.title = t('Find');
  document.body.className = 'find';
  page.replaceChildren(
    element(
      'div',
      { role: 'search' },
      input,
      result,
      button('↑', () => void find(false), { 'aria-label': t('Previous'), title: t('Previous') }),
      button('↓', () => void find(true), { 'aria-label': t('Next'), title: t('Next') }),
      button('✕', close, { 'aria-label': t('Close'), title: t('Close') }),
    ),
  );
  input.focus();
}
