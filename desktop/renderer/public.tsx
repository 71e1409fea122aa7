/**
 * Entry point of the page for visitors, who fill in a form through its public link. It contains neither the router nor
 * the routes of the portal.
 */
// Must be the first import: it loads the library's styles, which the styles of all components must follow.
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
