import { AppError } from '#server/base/app-error.ts';
import { runInThread, ThreadLimitError } from '#server/base/run-in-thread.ts';
import { createConcurrencyLimit } from '#server/background/concurrency-limit.ts';
import { MAX_JSON_LENGTH } from './report-limits.ts';
import type { ReportSource } from './run-report.ts';

/** Makes PDF files of runs in worker threads, so that a large run does not block other calls. */
export interface RunReportBuilder {
  /**
   * Throws an AppError if the run is too large, or if the person already waits for several files; and the signal's
   * reason.
   * @param userId who requests it: nobody takes more than one of the threads at the same time
   */
  build(source: ReportSource, userId: number, signal: AbortSignal): Promise<Uint8Array>;
}

const THREAD = new URL('./run-report-thread.ts', import.meta.url);
const BOUNDS = { memory: 1024, timeLimit: 120_000 };
const THREADS = 2;
/** Maximum number of files that a person may wait for, including the one that is being made. */
const MAX_PER_PERSON = 3;

const TOO_LARGE =
  'This run is too large for a PDF file, which can have up to 50,000 table cells and 1,000,000 characters. Download the Excel file instead.';
const TOO_MANY = 'PDF files are already being created for you. Try again when they are ready.';

interface PersonalQueue {
  limited: ReturnType<typeof createConcurrencyLimit>;
  waiting: number;
}

export function createRunReportBuilder(bounds = BOUNDS): RunReportBuilder {
  const limited = createConcurrencyLimit(THREADS);
  const people = new Map<number, PersonalQueue>();

  const make = async (source: ReportSource, signal: AbortSignal): Promise<Uint8Array> => {
    const bytes = await runInThread<Uint8Array | null>(THREAD, source, { ...bounds, signal }).catch(
      (error: unknown) => {
        if (error instanceof ThreadLimitError) return null;
        throw error;
      },
    );
    if (bytes === null) throw new AppError('reportTooLarge', 422, TOO_LARGE);
    return bytes;
  };

  return {
    build: async (source, userId, signal) => {
      if (jsonLength(source) > MAX_JSON_LENGTH) throw new AppError('reportTooLarge', 422, TOO_LARGE);
      const own = people.get(userId) ?? { limited: createConcurrencyLimit(1), waiting: 0 };
      if (own.waiting >= MAX_PER_PERSON) throw new AppError('tooManyReports', 429, TOO_MANY);
      people.set(userId, own);
      own.waiting += 1;
      try {
        // A request whose client has left takes no thread: runInThread checks the signal first.
        return await own.limited(() => limited(() => make(source, signal)));
      } finally {
        own.waiting -= 1;
        if (own.waiting === 0) people.delete(userId);
      }
    },
  };
}

/** Values that are certainly too large are not copied into a thread. */
const jsonLength = ({ run }: ReportSource): number =>
  [...run.Outputs, ...run.Inputs].reduce((sum, { Value }) => sum + (Value?.length ?? 0), 0);
