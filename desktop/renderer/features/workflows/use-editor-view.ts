import { useMedia } from '#renderer/features/activities/list/use-media.ts';
import { useAddressValues } from '#renderer/ui/use-address-values.ts';

export type EditorView = 'graph' | 'list';

/** On smaller windows, the fields of a step do not fit beside the steps. */
const SMALL = '(max-width: 859px)';

/** Returns the view in which the steps are shown. It is part of the address; phones begin with the list. */
export function useEditorView(): { view: EditorView; setView: (view: EditorView) => void; isSmall: boolean } {
  const isSmall = useMedia(SMALL);
  const [values, change] = useAddressValues();
  const usual: EditorView = isSmall ? 'list' : 'graph';
  const stated = values.get('view');
  const view = stated === 'graph' || stated === 'list' ? stated : usual;
  const setView = (next: EditorView): void =>
    change((present) => {
      present.set('view', next);
      return present;
    });
  return { view, setView, isSmall };
}
