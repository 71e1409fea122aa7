import { createElement, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { PartFailure } from './PartFailure.tsx';

type Loading = { isLoading: true } | { isLoading: false; error: unknown };

/**
 * A part whose code is fetched when it is first shown. React's own `lazy` remembers a failure for good and takes the whole screen, with all
 * that was typed, down with it; this one says in its own place what failed, and tries again.
 * @param whileLoading stands in its place meanwhile, best as high as the part will be: what is below it must not move under the pointer
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  whileLoading: ReactNode | ((props: Props) => ReactNode) = null,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function LazyPart(props: Props) {
    const [state, setState] = useState<Loading>({ isLoading: true });
    const [, showLoaded] = useState(loaded !== null);
    const { isLoading } = state;
    useEffect(() => {
      if (!isLoading || loaded) return undefined;
      let isGone = false;
      const show = async (): Promise<void> => {
        try {
          loaded = await load();
          if (!isGone) showLoaded(true);
        } catch (error) {
          if (!isGone) setState({ isLoading: false, error });
        }
      };
      void show();
      return () => {
        isGone = true;
      };
    }, [isLoading]);
    const Part = loaded;
    if (Part) return createElement(Part, props);
    if (!state.isLoading) return <PartFailure error={state.error} onRetry={() => setState({ isLoading: true })} />;
    return typeof whileLoading === 'function' ? whileLoading(props) : whileLoading;
  };
}
