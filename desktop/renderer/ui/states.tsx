import { Button, Classes, ProgressBar } from '@blueprintjs/core';
import { Error as ErrorIcon, Refresh } from '@blueprintjs/icons';
import { useEffect, useState, type JSX, type ReactNode } from 'react';
import { said, t } from '#renderer/language/translate.ts';
import { reloadAfterStoringWork } from './leaving.ts';
import './parts.css';

/** Shown if there is nothing to list. */
export function EmptyState(props: { title: string; icon?: JSX.Element; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="rs-empty">
      {props.icon}
      <strong>{said(props.title)}</strong>
      {props.children && <p>{props.children}</p>}
      {props.action}
    </div>
  );
}

interface FailureStateProps {
  error: unknown;
  /** What failed, shown above the message. */
  title?: string | undefined;
  onRetry?: () => void;
}

/** Replaces a page whose data could not be fetched: shows the server's message and a retry button. */
export function FailureState({ error, title, onRetry }: FailureStateProps) {
  const message = error instanceof Error ? said(error.message) : t('Unexpected error');
  return (
    <div className="rs-empty" role="alert">
      <ErrorIcon size={24} title={false} className="rs-danger-text" />
      <strong>{title ?? message}</strong>
      {title !== undefined && <p>{message}</p>}
      {onRetry && <Button icon={<Refresh />} text={t('Retry')} onClick={onRetry} />}
    </div>
  );
}

/** A placeholder in the shape of the content that is being fetched for the first time. */
export function Skeleton({ kind }: { kind: 'grid' | 'form' | 'tiles' }) {
  const shapes = {
    grid: <SkeletonRows widths={['100%', '100%', '100%', '100%', '100%', '100%']} />,
    form: <SkeletonRows widths={['30%', '60%', '30%', '60%', '30%', '60%', '20%']} />,
    tiles: (
      <div className="rs-skeleton-tiles">
        {Array.from({ length: 6 }, (_, index) => (
          <div key={index} className={Classes.SKELETON} />
        ))}
      </div>
    ),
  };
  return (
    <div role="status" aria-label={t('Loading')}>
      {shapes[kind]}
      <SlowNote />
    </div>
  );
}

/** Milliseconds after which a note appears: behind a proxy, a server may accept a call and never respond. */
const SLOW_MS = 15_000;

function SlowNote() {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isSlow) return null;
  return (
    <div className="rs-slow">
      <span>{t('This is taking longer than expected. The content appears as soon as it is loaded.')}</span>
      <Button icon={<Refresh />} text={t('Reload the page')} onClick={() => void reloadAfterStoringWork()} />
    </div>
  );
}

function SkeletonRows({ widths }: { widths: string[] }) {
  return widths.map((width, index) => (
    <div key={index} className={`rs-skeleton-row ${Classes.SKELETON}`} style={{ width }} />
  ));
}

/** Real progress with text: 'Uploading: 3.1 MB of 12 MB'. `share` is from 0 to 1; null if unknown. */
export function Progress({ share, text, label }: { share: number | null; text: ReactNode; label: string }) {
  return (
    <div className="rs-progress">
      <ProgressBar
        value={share ?? undefined}
        intent="primary"
        animate={share === null}
        stripes={share === null}
        aria-label={label}
      />
      <span className="rs-progress-text">{text}</span>
    </div>
  );
}
