import { createElement, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { compareVersions, type ServerState } from '#renderer/api/new-version.ts';
import { loadUntilThere } from './load-until-there.ts';
import { PartFailure } from './PartFailure.tsx';
import { fetchStylesAgain } from './styles-again.ts';

/**
 * A part whose code is fetched when it is first shown. React's own `lazy` caches a failure permanently and replaces the
 * whole screen, including all input. This one retries automatically and reports the failure in its own place.
 * @param whileLoading shown during loading, ideally as high as the part, so that the content below does not move under
 * the pointer
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

/** Ends early if the network returns or the part is unmounted. */
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
