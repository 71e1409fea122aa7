/** Calculates rows of values in a worker thread, each as a run would, until the time slice is over. */
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import type { EvaluateRequest, EvaluatedRows } from '#server/executors/executor.ts';
import type { EvaluateError } from '#shared/contract/evaluate.ts';
import type { WarmWorkbook } from '../run/warm-workbooks.ts';
import { createRowCalculation, namedOutputs, readsOutputsOnly, type RowOutcome } from './calculate-row.ts';
import { readRowInputs, type RowInput } from './row-inputs.ts';
import { createRowModels, type RowModelCache, type RowValues } from './row-models.ts';

export type EvaluateTask = Omit<EvaluateRequest, 'owner' | 'signal' | 'readWorkbook'>;
export type EvaluateAnswer = EvaluatedRows | { refused: Record<string, string[]> } | { refusal: string };

/** Milliseconds after which a task ends, so that the thread serves others too. */
const SLICE_MS = 100;
/** A slice also ends when its results have this many characters: the main thread passes them on in one piece. */
const MAX_SLICE_CHARACTERS = 4_000_000;
/** What an error has in addition to its message, approximately. */
const ERROR_CHARACTERS = 80;

export interface EvaluateContext {
  cache: RowModelCache;
  /** Called if the engine exceeded its limits and must not be reused in this thread. */
  onBroken: () => void;
}

export async function evaluateRows(
  workbook: WarmWorkbook,
  task: EvaluateTask,
  { cache, onBroken }: EvaluateContext,
): Promise<EvaluateAnswer> {
  const read = readRowInputs(task.definition, task.inputs);
  if ('refused' in read) return read;
  const { inputs } = read;
  const { definition, versionKey, timeLimit } = task;
  const outputs = readsOutputsOnly(definition) ? namedOutputs(definition, task.outputs) : null;
  const models = createRowModels(workbook, inputs, { cache, versionKey, timeLimit, outputs });
  const calculate = createRowCalculation({ ...task, inputs, models });
  const slice = createSlice(task.outputs.length);
  try {
    while (slice.rows < task.rows && !slice.isOver()) {
      const values = inputs.map((one) => (one.kind === 'cell' ? one.at(slice.rows) : null));
      const outcome = refusedValues(inputs, values) ?? (await calculate(values));
      slice.add(outcome);
      if (!('isBroken' in outcome) || !outcome.isBroken) continue;
      onBroken();
      break;
    }
  } catch (error) {
    models.drop();
    if (error instanceof WorkbookFileError) return { refusal: error.message };
    throw error;
  } finally {
    models.end();
  }
  return slice.answer();
}

/** Collects the results of rows. */
function createSlice(outputs: number): {
  readonly rows: number;
  isOver(): boolean;
  add(outcome: RowOutcome): void;
  answer(): EvaluatedRows;
} {
  const columns = Array.from({ length: outputs }, (): string[] => []);
  const errors: EvaluateError[] = [];
  const end = performance.now() + SLICE_MS;
  let rows = 0;
  let characters = 0;
  return {
    get rows() {
      return rows;
    },
    isOver: () => rows > 0 && (performance.now() > end || characters > MAX_SLICE_CHARACTERS),
    add(outcome) {
      if ('errors' in outcome) {
        for (const error of outcome.errors) {
          errors.push({ Row: rows, ...error });
          characters += ERROR_CHARACTERS + error.Message.length;
        }
      }
      for (let index = 0; index < outputs; index += 1) {
        const text = 'texts' in outcome ? outcome.texts[index]! : 'null';
        columns[index]!.push(text);
        characters += text.length;
      }
      rows += 1;
    },
    answer: () => ({ rows, outputs: columns.map((texts) => texts.join(',')), errors }),
  };
}

/** Returns null if a start would accept the values. */
function refusedValues(inputs: readonly RowInput[], values: RowValues): RowOutcome | null {
  if (!values.some((supplied) => supplied?.kind === 'refused')) return null;
  const errors = values.flatMap((supplied, index) =>
    supplied?.kind === 'refused'
      ? supplied.messages.map((Message) => ({
          Code: 'inputInvalid' as const,
          Input: inputs[index]!.input.Name,
          Message,
        }))
      : [],
  );
  return { errors, isBroken: false };
}
