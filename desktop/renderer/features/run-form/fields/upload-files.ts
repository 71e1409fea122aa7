import { valueShape } from '#shared/codecs/input-form.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { fileSizeIssue } from '#shared/rules/input-rules.ts';
import { isAbort, toFailure } from '#renderer/api/app-failure.ts';
import { t } from '#renderer/language/translate.ts';
import { uploadTo } from '#renderer/features/run-form/form-calls.ts';
import { changeForm, setIssues, setUpload, type RunFormStore } from '#renderer/features/run-form/run-form-store.ts';

/** Minimum time between two progress updates, in milliseconds. Source: specification of activities, section 9. */
const PROGRESS_INTERVAL = 1000;

/**
 * Uploads files for an input and adds them to the form. A file above the input's size limit is reported before anything
 * is sent. If the upload fails, the input shows the message and the file is not added.
 */
export async function sendFiles(store: RunFormStore, input: Input, files: File[], signal: AbortSignal): Promise<void> {
  const tooLarge = files.map((file) => fileSizeIssue(input.Info, file.size)).find((issue) => issue !== null);
  if (tooLarge) return setIssues(store, input.Id, [{ message: tooLarge }]);
  const fileName = files.length === 1 ? files[0]!.name : t('{filesCount} files', { filesCount: files.length });
  const size = files.reduce((sum, file) => sum + file.size, 0);
  setIssues(store, input.Id, []);
  setUpload(store, input.Id, { fileName, sent: 0, total: size });
  let reportedAt = 0;
  try {
    const { Items } = await uploadTo(store.getState().origin, input.Id, files, {
      signal,
      onProgress: ({ sent, total }) => {
        if (Date.now() - reportedAt < PROGRESS_INTERVAL) return;
        reportedAt = Date.now();
        setUpload(store, input.Id, { fileName, sent: Math.min(sent, size), total: Math.min(total, size) });
      },
    });
    const sent = Items.map(({ Id, Name }) => ({ FileId: Id, FileName: Name }));
    const form = store.getState().forms[input.Id]!;
    const before = valueShape(input.Info) === 'cell' ? [] : form.files;
    changeForm(store, input.Id, { ...form, files: [...before, ...sent], useDefault: false });
  } catch (error) {
    if (!isAbort(error)) setIssues(store, input.Id, [{ message: toFailure(error).message }]);
  } finally {
    setUpload(store, input.Id, null);
  }
}
