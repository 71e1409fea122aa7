import { AppError } from '#server/base/app-error.ts';

/** The limits of a call in time. */
export interface BoundCall {
  /** Aborts when the caller has left or the time is over. */
  signal: AbortSignal;
  /** Returns the remaining milliseconds, at least 1. */
  timeLeft: () => number;
  close: () => void;
}

export function boundCall(signals: readonly AbortSignal[], seconds: number): BoundCall {
  const tooLong = new AbortController();
  const end = performance.now() + seconds * 1000;
  const timer = setTimeout(() => {
    const message = `The call took longer than ${seconds} seconds. Send fewer rows, or request fewer outputs`;
    tooLong.abort(new AppError('evaluationTooLong', 422, message));
  }, seconds * 1000);
  timer.unref();
  return {
    signal: AbortSignal.any([...signals, tooLong.signal]),
    timeLeft: () => Math.max(1, Math.ceil(end - performance.now())),
    close: () => clearTimeout(timer),
  };
}
