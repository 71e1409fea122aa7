import { useEffect } from 'react';
import { t } from '#renderer/language/translate.ts';
import { footerCss } from './print-footer.ts';

/** Prints the text and the page number at the foot of each sheet while the component is on the page. */
export function usePrintFooter(text: string): void {
  useEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(footerCss(text, t('Page {page} of {pages}')));
    document.adoptedStyleSheets.push(sheet);
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    };
  }, [text]);
}
