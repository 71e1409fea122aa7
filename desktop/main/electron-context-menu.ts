import { clipboard, Menu, type ContextMenuParams, type MenuItemConstructorOptions, type WebContents } from 'electron';
import { say } from './language.ts';

/** Shows the actions available at the clicked position; shows nothing if there are none. */
export function showContextMenu(contents: WebContents, params: ContextMenuParams): void {
  const items = [...spelling(contents, params), ...editing(params), ...linking(params)];
  if (items.length > 0) Menu.buildFromTemplate(items).popup();
}

function spelling(contents: WebContents, { misspelledWord, dictionarySuggestions }: ContextMenuParams) {
  if (!misspelledWord) return [];
  const items: MenuItemConstructorOptions[] = dictionarySuggestions.map((label) => ({
    label,
    click: () => contents.replaceMisspelling(label),
  }));
  return items.length > 0 ? [...items, { type: 'separator' as const }] : [];
}

function editing({ isEditable, selectionText, editFlags }: ContextMenuParams): MenuItemConstructorOptions[] {
  if (isEditable) {
    return [
      { role: 'undo', label: say('Undo'), enabled: editFlags.canUndo },
      { role: 'redo', label: say('Redo'), enabled: editFlags.canRedo },
      { type: 'separator' },
      { role: 'cut', label: say('Cut'), enabled: editFlags.canCut },
      { role: 'copy', label: say('Copy'), enabled: editFlags.canCopy },
      { role: 'paste', label: say('Paste'), enabled: editFlags.canPaste },
      { role: 'selectAll', label: say('Select All'), enabled: editFlags.canSelectAll },
    ];
  }
  return selectionText.trim() === '' ? [] : [{ role: 'copy', label: say('Copy') }];
}

/** Addresses of the portal's own pages are meaningless outside this program. */
function linking({ linkURL }: ContextMenuParams): MenuItemConstructorOptions[] {
  if (!/^https?:\/\//.test(linkURL)) return [];
  return [{ label: say('Copy Link'), click: () => void clipboard.writeText(linkURL) }];
}
