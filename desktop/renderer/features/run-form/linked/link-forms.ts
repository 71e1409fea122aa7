/** Forms that start with the outputs of a finished run. */
import { InputShapeError, type FormInput } from '#shared/codecs/input-form.ts';
import { isLocked, linkedFormInput, type OutputValue } from '#shared/codecs/linked-values.ts';
import { parseLinkInfo } from '#shared/codecs/link-info.ts';
import type { ActivityLink } from '#shared/contract/activities.ts';
import type { OutputTransform } from '#shared/contract/links.ts';
import type { Input } from '#shared/contract/parameters.ts';
import type { ActivityRun } from '#shared/contract/runs.ts';
import type { Forms } from '#renderer/features/run-form/form-inputs.ts';

/**
 * Returns the inputs that the link fills. Values that do not fit are replaced by the default, and the start reports why
 * they cannot be used.
 */
export function formsOfLink(
  inputs: readonly Input[],
  link: ActivityLink,
  run: Pick<ActivityRun, 'Outputs' | 'StoredFiles'>,
  transforms: readonly OutputTransform[],
): Forms {
  const mappings = parseLinkInfo(link.LinkInfo) ?? [];
  const forms: Forms = {};
  for (const input of inputs) {
    const source = mappings.find(({ target }) => target === input.Id)?.source;
    if (input.ReadOnly === undefined || source === undefined) continue;
    const rows = transforms.find(({ ActivityParameterId }) => ActivityParameterId === source)?.FilteredRowIndices;
    const form = linkedInputOrNull(input, valueOf(run, source), rows ?? null);
    if (form) forms[input.Id] = form;
  }
  return forms;
}

function linkedInputOrNull(input: Input, value: OutputValue, rows: readonly number[] | null): FormInput | null {
  try {
    return linkedFormInput(input, value, rows);
  } catch (error) {
    if (error instanceof InputShapeError) return null;
    throw error;
  }
}

function valueOf({ Outputs, StoredFiles }: Pick<ActivityRun, 'Outputs' | 'StoredFiles'>, output: number): OutputValue {
  const files = StoredFiles.filter(({ ActivityParameterId }) => ActivityParameterId === output).map(
    ({ DocumentId, FileName }) => ({ FileId: DocumentId, FileName }),
  );
  return { json: Outputs.find(({ Id }) => Id === output)?.Value ?? null, files };
}

/** Removes drafts of locked inputs: they belong to another run or to none. */
export const withoutLocked = (inputs: readonly Input[], draft: Forms): Forms =>
  Object.fromEntries(
    Object.entries(draft).filter(([id]) => !inputs.some((input) => input.Id === Number(id) && isLocked(input))),
  );
