import { Button, Dialog, DialogBody, DialogFooter, InputGroup } from '@blueprintjs/core';
import { KeyEnter } from '@blueprintjs/icons';
import { useEffect, useId, useState, type SubmitEvent } from 'react';
import type { ActivityRun, ProvideInputBody } from '#shared/contract/runs.ts';
import { serverNow } from '#renderer/app/session.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { t } from '#renderer/language/translate.ts';
import { ErrorSummary, type ErrorSummaryProps } from '#renderer/ui/ErrorSummary.tsx';
import { openQuestion, secondsLeft, timeLeftText, type OpenQuestion } from './prompt-view.ts';

/** Sends an answer. Visitors' runs use another endpoint than users' runs. */
type SendAnswer = (body: ProvideInputBody) => Promise<unknown>;

interface RunPromptProps {
  run: ActivityRun;
  onAnswer: SendAnswer;
}

/** Asks the newest open question of a run. If the user closes it, the page offers to open it again. */
export function RunPrompt({ run, onAnswer }: RunPromptProps) {
  const now = useServerClock(run.LogEntries.some(({ prompt }) => prompt !== undefined));
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  const [closed, setClosed] = useState<string | null>(null);
  const question = openQuestion(run.LogEntries, answered, now);
  if (!question) return null;
  const left = timeLeftText(secondsLeft(question, now));
  return (
    <>
      {closed === question.key && (
        <div className="rs-prompt-waiting" role="status">
          <span>{t('The run waits for an answer.')}</span>
          <Button intent="primary" text={t('Answer')} onClick={() => setClosed(null)} />
        </div>
      )}
      <PromptDialog
        key={question.key}
        runId={run.Id}
        question={question}
        left={left}
        onAnswer={onAnswer}
        isOpen={closed !== question.key}
        onClose={() => setClosed(question.key)}
        onAnswered={() => setAnswered((keys) => new Set([...keys, question.key]))}
      />
    </>
  );
}

interface PromptDialogProps {
  runId: number;
  question: OpenQuestion;
  left: string;
  onAnswer: SendAnswer;
  isOpen: boolean;
  onClose: () => void;
  onAnswered: () => void;
}

function PromptDialog({ runId, question, left, onAnswer, isOpen, onClose, onAnswered }: PromptDialogProps) {
  const [value, setValue] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ErrorSummaryProps>({ title: null, attempt: 0 });
  const id = useId();
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      await onAnswer({ ActivityRunId: runId, Key: question.key, Value: value });
      onAnswered();
    } catch (error) {
      setFailure({ title: toFailure(error).message, attempt: failure.attempt + 1 });
      setBusy(false);
    }
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      // A click outside would discard the typed text.
      canOutsideClickClose={false}
      title={t('Time remaining: {left}', { left })}
      className="rs-prompt"
    >
      <form onSubmit={(event) => void submit(event)} autoComplete="off">
        <DialogBody>
          <label htmlFor={id} className="rs-prompt-message">
            {question.message}
          </label>
          <InputGroup
            id={id}
            type={question.type === 'Masked' ? 'password' : 'text'}
            autoComplete={question.type === 'Masked' ? 'new-password' : 'off'}
            maxLength={32_767}
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
            autoFocus
          />
          <ErrorSummary {...failure} />
        </DialogBody>
        <DialogFooter
          actions={<Button type="submit" intent="primary" icon={<KeyEnter />} text={t('Submit')} loading={isBusy} />}
        />
      </form>
    </Dialog>
  );
}

/** Returns the server's time, by which the time to answer expires. It updates every second while it is displayed. */
function useServerClock(isWatched: boolean): number {
  const [now, setNow] = useState(() => serverNow());
  useEffect(() => {
    if (!isWatched) return;
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, [isWatched]);
  return now;
}
