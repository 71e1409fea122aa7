import { OverlaysProvider } from '@blueprintjs/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { RouterProvider } from 'react-router-dom';
import { queryClient } from '#renderer/api/queries.ts';
import { MessageArea } from '#renderer/ui/toaster.tsx';
import { createRoutes } from './routes.tsx';
import { StartUp } from './StartUp.tsx';

export function App() {
  const [router] = useState(createRoutes);
  return (
    <OverlaysProvider>
      <QueryClientProvider client={queryClient}>
        <StartUp>
          <RouterProvider router={router} />
        </StartUp>
        <MessageArea />
      </QueryClientProvider>
    </OverlaysProvider>
  );
}
