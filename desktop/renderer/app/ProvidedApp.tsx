import { OverlaysProvider } from '@blueprintjs/core';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient } from '#renderer/api/queries.ts';
import { MessageArea } from '#renderer/ui/toaster.tsx';
import { StartUp } from './StartUp.tsx';

/** Context providers around every page. */
export function ProvidedApp({ children }: { children: ReactNode }) {
  return (
    <OverlaysProvider>
      <QueryClientProvider client={queryClient}>
        <StartUp>{children}</StartUp>
        <MessageArea />
      </QueryClientProvider>
    </OverlaysProvider>
  );
}
