import { createElement, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { compareVersions, type ServerState } from '#renderer/api/new-version.ts';
import { loadUntilThere } from './load-until-there.ts';
import { PartFailure } from './PartFailure.tsx';
import { fetchStylesAgain } from './styles-again.ts';

/**
 * A part whose code is fetched when it is first shown. React's own `lazy` remembers a failure for good and takes the whole screen, with all
 * that was typed, down with it; this one tries again by itself, and says in its own place what failed.
 * @param whileLoading stands in its place meanwhile, best as high as the part will be: what is below it must not move under the pointer
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  whileLoading: ReactNode | ((props: Props) => ReactNode) = null,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function LazyPart(props: Props) {
    const [failure, setFailure] = useState<ServerState | null>(null);
    const [attempt, setAttempt] = useState(0);
    const [, showLoaded] = useState(loaded !== null);
    useEffect(() => {
      if (loaded) return undefined;
      const ending = new AbortController();
      const show = async (): Promise<void> => {
        const part = await loadUntilThere({
          load: async () => {
            const part = await load();
            await fetchStylesAgain();
            return part;
          },
          compare: compareVersions,
          pause: (milliseconds) => pauseOf(milliseconds, ending.signal),
          show: setFailure,
          isOver: () => ending.signal.aborted,
        });
        if (part) loaded = part;
        if (part && !ending.signal.aborted) showLoaded(true);
      };
      void show();
      return () => ending.abort();
    }, [attempt]);
    const Part = loaded;
    if (Part) return createElement(Part, props);
    if (failure !== null) {
      const retry = (): void => {
        setFailure(null);
        setAttempt(attempt + 1);
      };
      return <PartFailure state={failure} onRetry={retry} />;
    }
    return typeof whileLoading === 'function' ? whileLoading(props) : whileLoading;
  };
}

/** Over at once where the network comes back, or the part is shown no more. */
function pauseOf(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    window.addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}
