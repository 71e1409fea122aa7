/** The page of visitors, who fill in a form by its public link: without the router and the routes of the portal. */
// Before all parts: their styles come after those of the library.
import { startPage } from './start-page.ts';
import { createRoot } from 'react-dom/client';
import { ProvidedApp } from './app/ProvidedApp.tsx';
import { PublicRunPage } from './features/public-run/PublicRunPage.tsx';

const root = createRoot(document.getElementById('root')!);
void startPage().then(() =>
  root.render(
    <ProvidedApp>
      <PublicRunPage />
    </ProvidedApp>,
  ),
);
