import type { PickerPage, PickerQuery } from '#shared/contract/activities.ts';
import { listStaticFolders } from '#shared/contract/files.ts';
import { pickFrom } from '#shared/rules/list-picker.ts';
import { call } from '#renderer/api/client.ts';
import { t } from '#renderer/language/translate.ts';

/** Loads a page of the server's static folders. */
export async function loadStaticFolders(query: PickerQuery): Promise<PickerPage> {
  const { Items } = await call(listStaticFolders).catch((cause: unknown) => {
    throw new Error(t('Failed to update static folder list'), { cause });
  });
  return pickFrom(
    Items.map(({ FolderKey }) => FolderKey),
    query,
  );
}
