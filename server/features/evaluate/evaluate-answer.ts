/** Writes the results of an evaluation: as one JSON answer, or as lines while they are calculated. */
import { AppError } from '#server/base/app-error.ts';
import type { EvaluatedRows } from '#server/executors/executor.ts';
import type { EvaluateError, EvaluateLine } from '#shared/contract/evaluate.ts';
import type { Evaluation } from './evaluate-service.ts';

/** Maximum number of characters of the results in one answer, which has to fit into memory. */
const MAX_ANSWER_CHARACTERS = 128 * 1024 * 1024;

/** Returns the JSON text of the answer. Threads have already written the values as JSON. */
export async function jsonAnswer(
  { ActivityId, Version, rows, outputs, slices }: Evaluation,
  maxCharacters = MAX_ANSWER_CHARACTERS,
): Promise<string> {
  const columns = outputs.map((): string[] => []);
  const errors: string[] = [];
  let size = 0;
  for await (const slice of slices()) {
    const said = errorsText(slice.errors);
    size += said.length;
    if (said !== '') errors.push(said);
    for (const [index, column] of columns.entries()) {
      const text = slice.outputs[index]!;
      size += text.length;
      if (text !== '') column.push(text);
    }
    if (size > maxCharacters) throw tooLarge();
  }
  const texts = columns.map((column) => column.join(','));
  const head = fields({ ActivityId, Version, Rows: rows });
  return `{"result":{${head},"Outputs":${columnsText(outputs, texts)},"Errors":[${errors.join(',')}]}}`;
}

const errorsText = (errors: readonly EvaluateError[]): string => JSON.stringify(errors).slice(1, -1);

const fields = (values: object): string => JSON.stringify(values).slice(1, -1);

const columnsText = (names: readonly string[], texts: readonly string[]): string =>
  `{${names.map((name, index) => `${JSON.stringify(name)}:[${texts[index]!}]`).join(',')}}`;

function tooLarge(): AppError {
  const message =
    'The results are too large for one response. Send fewer rows, request fewer outputs, or accept application/x-ndjson';
  return new AppError('answerTooLarge', 413, message);
}

/** Yields the lines of the answer. After the first one, a failure is the last line. */
export async function* answerLines(
  { ActivityId, Version, rows, outputs, slices }: Evaluation,
  onFailure: (error: unknown) => AppError,
): AsyncGenerator<string> {
  yield line({ Type: 'Start', ActivityId, Version, Rows: rows });
  let done = 0;
  let refused = 0;
  try {
    for await (const slice of slices()) {
      if (slice.rows === 0) continue;
      yield rowsLine(outputs, done, slice);
      done += slice.rows;
      refused += new Set(slice.errors.map(({ Row }) => Row)).size;
    }
    yield line({ Type: 'End', Rows: done, Refused: refused });
  } catch (error) {
    const { code, message } = onFailure(error);
    yield line({ Type: 'Failure', Code: code, message });
  }
}

const line = (value: EvaluateLine): string => `${JSON.stringify(value)}\n`;

function rowsLine(names: readonly string[], FirstRow: number, { rows, outputs, errors }: EvaluatedRows): string {
  const head = fields({ Type: 'Rows', FirstRow, Rows: rows });
  return `{${head},"Outputs":${columnsText(names, outputs)},"Errors":${JSON.stringify(errors)}}\n`;
}
