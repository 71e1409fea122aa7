/**
 * Texts that exceed their field's limit: they stay as typed or pasted, the field reports it, and the form is not sent.
 */
import { numberText } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';

/** Returns the field's message; null if the text fits. */
export function longTextIssue(text: string, max: number | undefined): string | null {
  if (max === undefined || text.length <= max) return null;
  return t('{count} of {max} characters: {more} too many', {
    count: numberText(text.length),
    max: numberText(max),
    more: numberText(text.length - max),
  });
}

/** Attribute of a control whose text is too long. */
export interface LongTextMark {
  'data-too-long'?: true;
}

export const longTextMark = (issue: string | null): LongTextMark => (issue === null ? {} : { 'data-too-long': true });

/** Intercepts form submissions: focuses the first such field before the form's own handler runs. */
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
