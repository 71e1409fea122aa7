/** An executor for tests of jobs and features: it reads no workbook and does what a test defines. */
import { evaluateExpressions } from '#server/calculation/expressions/evaluate-expressions.ts';
import type {
  Executor,
  FormRequest,
  FormUpdate,
  InspectedFile,
  Inspection,
  RunOutcome,
  RunRequest,
} from '#server/executors/executor.ts';
import { EMPTY_DEFINITION } from './runs.ts';

export const SUCCESS: RunOutcome = { status: 'Succeeded', outputs: [], files: [] };

export interface FakeExecutor extends Executor {
  /** What runs do; by default they succeed immediately. */
  onRun: (request: RunRequest) => Promise<RunOutcome>;
  onInspect: (file: InspectedFile) => Promise<Inspection>;
  /** Updates sent to forms; none by default. */
  onUpdateForm: (request: FormRequest) => Promise<FormUpdate | { refusal: string }>;
}

export function createFakeExecutor(): FakeExecutor {
  const fake: FakeExecutor = {
    onRun: async () => SUCCESS,
    onInspect: async () => ({ definition: EMPTY_DEFINITION, problems: [], fidelity: null }),
    onUpdateForm: async () => ({ values: [], lists: [], outputs: [], rules: [] }),
    updateForm: (request) => fake.onUpdateForm(request),
    evaluate: () => Promise.reject(new Error('a fake executor evaluates nothing')),
    calculate: async (task) => evaluateExpressions(task),
    inspect: (file) => fake.onInspect(file),
    uploadsAhead: () => null,
    designer: {
      open: () => Promise.reject(new Error('a fake executor opens no design')),
      check: () => Promise.reject(new Error('a fake executor checks no marks')),
      write: () => Promise.reject(new Error('a fake executor writes no marks')),
    },
    run: (request) => {
      request.onBegin?.();
      return fake.onRun(request);
    },
    close: async () => {},
  };
  return fake;
}

/** Never resolves and rejects only on the signal, like a calculation that is killed. */
export function untilAborted({ signal }: Pick<RunRequest, 'signal'>): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
  });
}
