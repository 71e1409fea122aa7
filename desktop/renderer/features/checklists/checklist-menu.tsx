import { Edit } from '@blueprintjs/icons';
import type { MenuEntry } from '#renderer/ui/TitleMenu.tsx';

/** What can be done with a checklist. */
export const checklistMenu = ({ Id, CanEdit }: { Id: number; CanEdit: boolean }): MenuEntry[] =>
  CanEdit ? [{ text: 'Edit', icon: <Edit />, to: `/checklists/edit/${Id}/` }] : [];
