/** Entry point of a worker thread: parses, inspects and calculates workbooks, one task at a time. */
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { CalculationError } from '#server/calculation/engine.ts';
import { evaluateExpressions } from '#server/calculation/expressions/evaluate-expressions.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { Inspection, RunOutcome } from '#server/executors/executor.ts';
import { StepRefused } from '#server/executors/step-services.ts';
import { calculationProblem, inspectWorkbook, refused } from '../inspect.ts';
import { createEngines } from '../engines.ts';
import { evaluateRows, type EvaluateAnswer } from '../evaluate/evaluate-rows.ts';
import type { RowModelCache } from '../evaluate/row-models.ts';
import { designResult } from '../design/design-tasks.ts';
import { engineOfVersion } from '../run/engine-of-version.ts';
import { refusedByEngine } from '../run/engine-missing.ts';
import { createFormModels } from '../run/form-models.ts';
import { createRemoteServices } from '../run/remote-services.ts';
import { runWorkbook } from '../run/run-workbook.ts';
import { createWarmWorkbooks } from '../run/warm-workbooks.ts';
import type { WarmWorkbook } from '../run/warm-workbooks.ts';
import type { FormAnswer, FromThread, Task, TaskResult, ThreadSettings, ToThread, Wanted } from './messages.ts';
import { transferable } from './messages.ts';
import { warmUp } from './warm-up.ts';

const port = parentPort!;
const settings = workerData as ThreadSettings;
const engines = createEngines(settings.office);
const warm = createWarmWorkbooks((definition, model) => engineOfVersion(engines, definition, model), {
  count: settings.warmCount,
  bytes: settings.warmBytes,
});
const rowModels: RowModelCache = new Map();
const forms = createFormModels({ count: settings.formCount, bytes: settings.formBytes, age: settings.formAge });
setInterval(() => forms.dropOld(), Math.max(1000, settings.formAge / 10)).unref();

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

const waiting = new Map<number, Waiting>();
let requests = 0;
let isBroken = false;

const send = (message: FromThread, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

function request(message: (request: number) => FromThread): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const number = ++requests;
  waiting.set(number, { resolve, reject });
  send(message(number));
  return promise;
}

const want = (wanted: Wanted): Promise<Uint8Array> =>
  request((number) => ({ type: 'wants', request: number, wanted })) as Promise<Uint8Array>;

const services = createRemoteServices((ask) => request((number) => ({ type: 'asks', request: number, ask })));

const markBroken = (): void => {
  isBroken = true;
};

async function inspect(task: Extract<Task, { kind: 'inspect' }>): Promise<Inspection> {
  const bytes = await want({ what: 'workbook' });
  try {
    return await inspectWorkbook(bytes, task, engines);
  } catch (error) {
    if (!(error instanceof CalculationError) || error.code !== 'limit') throw error;
    isBroken = true;
    return refused([calculationProblem(error.message)]);
  }
}

/** Returns the workbook of a task's version, or the reason why its engine is not available here. */
async function opened(
  { versionKey, definition }: Extract<Task, { kind: 'run' | 'form' | 'evaluate' }>,
  onCalculating?: () => void,
): Promise<WarmWorkbook | CalculationError> {
  try {
    return await warm.get(versionKey, definition, () => want({ what: 'workbook' }), onCalculating);
  } catch (error) {
    if (error instanceof CalculationError && error.code === 'unsupported') return error;
    throw error;
  }
}

async function run(task: Extract<Task, { kind: 'run' }>): Promise<RunOutcome> {
  send({ type: 'progress', phase: 'Opening the workbook', share: null });
  const calculating = (): void => send({ type: 'progress', phase: 'Calculating', share: null });
  const workbook = await opened(task, calculating);
  if (workbook instanceof CalculationError) return refusedByEngine(workbook, (line) => send({ type: 'log', line }));
  const outcome = await runWorkbook(workbook, {
    definition: task.definition,
    fileName: task.fileName,
    timeLimit: task.timeLimit,
    inputs: task.inputs.map(({ Name, value, fileNames }) => ({
      Name,
      value,
      files: fileNames.map((FileName, index) => ({ FileName, read: () => want({ what: 'input', name: Name, index }) })),
    })),
    services,
    onLog: (line) => send({ type: 'log', line }),
    onProgress: (phase, share) => send({ type: 'progress', phase, share }),
    onBroken: () => {
      isBroken = true;
    },
  });
  return { ...outcome, files: outcome.files.map((file) => ({ ...file, bytes: transferable(file.bytes) })) };
}

async function updateForm(task: Extract<Task, { kind: 'form' }>): Promise<FormAnswer> {
  const workbook = await opened(task);
  if (workbook instanceof CalculationError) return { refusal: workbook.message };
  const answer = forms.update(workbook, task);
  if (!('refusal' in answer)) return answer;
  isBroken ||= answer.isBroken;
  return { refusal: answer.refusal };
}

async function evaluate(task: Extract<Task, { kind: 'evaluate' }>): Promise<EvaluateAnswer> {
  const workbook = await opened(task);
  if (workbook instanceof CalculationError) return { refusal: workbook.message };
  return evaluateRows(workbook, task, { cache: rowModels, onBroken: markBroken });
}

function resultOf(task: Task): Promise<TaskResult> | TaskResult {
  if (task.kind === 'inspect') return inspect(task);
  if (task.kind === 'run') return run(task);
  if (task.kind === 'evaluate') return evaluate(task);
  if (task.kind === 'expressions') return { expressions: evaluateExpressions(task, markBroken) };
  return task.kind === 'form' ? updateForm(task) : designResult(task, { want, engines, onBroken: markBroken });
}

const definitions = new Map<number, ActivityDefinition>();

function received({ task, sent }: Extract<ToThread, { type: 'task' }>): Task {
  if (sent === null) return task as Task;
  if (sent.forgets) definitions.clear();
  const definition = sent.definition ?? definitions.get(sent.number);
  if (!definition) throw new Error('a task came without its definition');
  definitions.set(sent.number, definition);
  return { ...task, definition } as Task;
}

async function executeTask(task: Task): Promise<void> {
  try {
    const result = await resultOf(task);
    send({ type: 'done', result, isBroken, memory: memory() }, buffersOf(result));
  } catch (error) {
    isBroken ||= error instanceof CalculationError;
    send({ type: 'failed', error, isBroken, memory: memory() });
  }
}

/** Returns the buffers that are transferred instead of copied. */
function buffersOf(result: TaskResult): ArrayBuffer[] {
  if ('files' in result) return result.files.map(({ bytes }) => bytes.buffer as ArrayBuffer);
  if ('parts' in result) return result.parts.flat().map(({ buffer }) => buffer as ArrayBuffer);
  return 'bytes' in result ? [result.bytes.buffer as ArrayBuffer] : [];
}

function memory(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

if (settings.isAhead) warmUp().dispose();

port.on('message', (message: ToThread) => {
  if (message.type === 'task') {
    void executeTask(received(message));
    return;
  }
  const waiter = waiting.get(message.request);
  waiting.delete(message.request);
  if (message.type === 'bytes') waiter?.resolve(message.bytes);
  else if (message.type === 'answer') waiter?.resolve(message.answer);
  else if (message.type === 'refusal' && message.status !== null)
    waiter?.reject(new StepRefused(message.status, message.message));
  else waiter?.reject(new Error(message.message));
});
