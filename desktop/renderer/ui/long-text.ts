/** Texts that are longer than their field may hold: they stay as they were typed or pasted, the field says so, and no form is sent with one. */
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';

/** What the field says; null where the text fits. */
export function longTextIssue(text: string, max: number | undefined): string | null {
  if (max === undefined || text.length <= max) return null;
  return t('{count} of {max} characters: {more} too many', {
    count: numberText(text.length),
    max: numberText(max),
    more: numberText(text.length - max),
  });
}

/** On the control of such a field. */
export interface LongTextMark {
  'data-too-long'?: true;
}

export const longTextMark = (issue: string | null): LongTextMark => (issue === null ? {} : { 'data-too-long': true });

/** Leads to the first such field of a form that is about to be sent, before the form itself hears of it. */
export function holdLongTexts(): void {
  const hold = (event: SubmitEvent): void => {
    const field = (event.target as HTMLFormElement).querySelector<HTMLElement>('[data-too-long]');
    if (!field) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    field.scrollIntoView({ block: 'center' });
    field.focus({ preventScroll: true });
  };
  document.addEventListener('submit', hold, { capture: true });
}
