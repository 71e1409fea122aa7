/** The actions of the current page for the command palette: exactly those that the page itself offers. */
import { pageMenu } from '#renderer/ui/page-menu.ts';
import type { MenuEntry } from '#renderer/ui/TitleMenu.tsx';

export type PageAction = Pick<MenuEntry, 'text' | 'icon' | 'to' | 'onSelect'>;

const BUTTONS = '.rs-page-actions :is(button, a), .rs-form-actions button, form button[type="submit"]';

/** Returns the actions of the page's menu, then the page's own buttons; disabled ones are omitted. */
export function pageActions(): PageAction[] {
  const found = pageMenu().filter(({ disabled }) => disabled !== true);
  const buttons = [...document.querySelectorAll<HTMLElement>(`#main :is(${BUTTONS})`)].flatMap((button) => {
    const text = (button.getAttribute('aria-label') ?? button.textContent).trim();
    const isOff = button.matches(':disabled, [aria-disabled="true"]') || button.getClientRects().length === 0;
    return text === '' || isOff ? [] : [{ text, onSelect: () => button.click() }];
  });
  const actions: PageAction[] = [...found, ...buttons];
  return actions.filter(({ text }, index) => actions.findIndex((other) => other.text === text) === index);
}
