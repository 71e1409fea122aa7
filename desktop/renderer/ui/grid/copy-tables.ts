import { bridge } from '#renderer/api/bridge.ts';
import { toClipboardHtml, type CopiedTable } from './copied-cells.ts';

/**
 * Copies tables as text and as HTML with their values; returns false if that is not allowed. `text` has the texts of the
 * cells, in the user's region.
 */
export async function copyTables(text: string, tables: readonly CopiedTable[]): Promise<boolean> {
  return copyByEvent(text, toClipboardHtml(tables)) || bridge.copyText(text);
}

/**
 * Copies text and HTML by the event of a copy command. navigator.clipboard would remove the attributes of the HTML that
 * tell spreadsheets the values of cells.
 */
function copyByEvent(text: string, html: string): boolean {
  const onCopy = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData('text/plain', text);
    event.clipboardData?.setData('text/html', html);
  };
  document.addEventListener('copy', onCopy, true);
  const done = document.execCommand('copy');
  document.removeEventListener('copy', onCopy, true);
  return done;
}
