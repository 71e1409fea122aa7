import { useState } from 'react';
import { RouterProvider } from 'react-router-dom';
import { ProvidedApp } from './ProvidedApp.tsx';
import { createRoutes } from './routes.tsx';

export function App() {
  const [router] = useState(createRoutes);
  return (
    <ProvidedApp>
      <RouterProvider router={router} />
    </ProvidedApp>
  );
}
